-- Another package for a server in one. A dearer package is a modification like any other; a cheaper one waits on the server's row for the
-- next renewal. A program of the release before knows no plan: what it renews meanwhile is charged at the present price.
alter table control.modifications
  -- Null where the size was chosen freely.
  add column from_package_id uuid,
  add column to_package_id uuid;

alter table control.servers
  add column planned_package_id uuid,
  -- Price and size as agreed when it was planned, whatever the catalog says later.
  add column planned_price_ft bigint check (planned_price_ft >= 0),
  add column planned_limits jsonb,
  -- The start of the first period at that price: before such a period is paid, the end of the paid time.
  add column planned_from timestamptz,
  add constraint servers_planned check (num_nulls(planned_package_id, planned_price_ft, planned_limits, planned_from) in (0, 4));

create or replace view control_api.servers as
  select s.id, s.identifier, s.name, s.description, s.owner_id, n.computer_id, s.template_id,
    coalesce(o.state, 'creating') as state, coalesce(o.since, s.created_at) as since, a.renewed_at as node_renewed_at,
    s.suspended, s.suspended_reason, s.expires_at, s.created_at, s.cpu_percent, s.memory_mib, s.storage_mib,
    s.monthly_price_ft::double precision as monthly_price_ft, s.highlighted, s.service_name,
    s.spec ->> 'image' as image, s.spec -> 'startup' -> 'argv' as startup_argv, s.spec -> 'environment' as environment,
    s.spec -> 'allocations' as allocations,
    not s.is_test and s.monthly_price_ft > 0
      and not exists (select from control.orders p where p.server_id = s.id and p.state = 'provisioning') as renews,
    -- The price of the next period: that of the planned package, if there is one.
    coalesce(s.planned_price_ft, s.monthly_price_ft)::double precision as renewal_price_ft
  from control.servers s
    join control.nodes n on n.id = s.node_id
    left join control.server_state o on o.server_id = s.id
    left join control.agent_sessions a on a.node_id = s.node_id
  where s.deleted_at is null and s.desired = 'installed';
