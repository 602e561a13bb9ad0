-- Start-up settings that the customer changes. The version counts saved changes of them: the generation rises with every other change
-- of the specification too, and would report conflicts that are none.
alter table control.servers
  -- Variables that contain a port: 'primary', or the number of one of the server's ports.
  add column port_links jsonb not null default '{}',
  add column startup_version integer not null default 0,
  add column startup_changed_at timestamptz;

-- What the running program was started with, so that the panel can say which saved values wait for a restart. Null while no
-- program runs, and for nodes of the previous release, which do not report it.
alter table control.server_state add column started_with jsonb;

-- A linked variable follows its port, whoever changes the ports. A link to a port that is gone leaves the variable as it is.
create function control.follow_ports() returns trigger language plpgsql as $$
declare
  linked jsonb;
begin
  select jsonb_object_agg(link.key, allocation.value ->> 'port') into linked
    from jsonb_each_text(new.port_links) link
    cross join lateral (
      select a.value from jsonb_array_elements(coalesce(new.spec -> 'allocations', '[]')) a
      where case when link.value = 'primary' then (a.value ->> 'primary')::boolean else a.value ->> 'port' = link.value end
      limit 1) allocation;
  if linked is not null then
    new.spec := jsonb_set(new.spec, '{environment}', coalesce(new.spec -> 'environment', '{}') || linked);
  end if;
  return new;
end;
$$;

create trigger servers_follow_ports before insert or update of spec, port_links on control.servers
  for each row when (new.port_links <> '{}') execute function control.follow_ports();
