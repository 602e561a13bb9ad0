-- The ports that a customer manages.
alter table control.allocations
  add column note text not null default '' check (char_length(note) <= 80),
  -- The generation of the server whose specification contains the port for the first time.
  add column added_in integer not null default 1,
  -- The generation whose specification no longer contains it; null while it is the server's. A removed port stays the server's until no
  -- program of it can use the port any more.
  add column removed_in integer,
  -- A port that no server ever gets.
  add column reserved boolean not null default false,
  add constraint allocations_reserved check (not reserved or server_id is null);

-- The same for every way in which a port changes its server, and for programs of the release before, which know nothing of these columns.
create function control.forget_port() returns trigger language plpgsql as $$
begin
  new.note := '';
  new.added_in := 1;
  new.removed_in := null;
  return new;
end $$;
create trigger allocations_forget before update of server_id on control.allocations
  for each row when (old.server_id is distinct from new.server_id) execute function control.forget_port();

alter table control.servers
  -- How many ports the server may have. A program of the release before writes none.
  add column port_limit integer not null default 4 check (port_limit >= 1),
  -- The generation in which another port became the primary one.
  add column primary_set_in integer not null default 1;
update control.servers s set port_limit = 3 + greatest(1, jsonb_array_length(s.spec -> 'allocations'));

-- The generation that the running program was started with; null without one, or while the node does not say it.
alter table control.server_state add column running_generation integer;
