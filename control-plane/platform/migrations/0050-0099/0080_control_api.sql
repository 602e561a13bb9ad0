-- What the site reads of the control plane: views, as `cms_api` has them the other way round. They name tables of schema `control` alone, so
-- that no migration of the CMS meets a view that hangs on its own. Their columns are the contract in src/contracts/control-api.

-- One row, written by every process of the control plane every few seconds: how old everything else here may be, and what a customer
-- can pay with, which only the control plane's environment knows.
create table control.heartbeat (
  only_row boolean primary key default true check (only_row),
  -- By the control plane's clock, as its leases are.
  beaten_at timestamptz not null,
  -- By the database's clock, so that the age does not depend on whose clock is right.
  stored_at timestamptz not null,
  payment_methods jsonb not null
);

-- Whose list of servers is asked for may have none of their own.
create index server_users_user on control.server_users (user_id);

create schema control_api;

create view control_api.heartbeat as
  select beaten_at,
    greatest(0, extract(epoch from clock_timestamp() - stored_at) * 1000)::double precision as age_ms, payment_methods
  from control.heartbeat;

-- What a customer has and owes. Whoever never had money has no row.
create view control_api.balances as
  select owner_id as user_id,
    coalesce(sum(balance_minor) filter (where kind = 'user_wallet'), 0)::double precision as money_ft,
    coalesce(sum(balance_minor) filter (where kind = 'user_bonus'), 0)::double precision as bonus_ft,
    coalesce(sum(held_minor) filter (where kind in ('user_wallet', 'user_bonus')), 0)::double precision as held_ft,
    coalesce(-sum(balance_minor) filter (where kind = 'user_debt'), 0)::double precision as debt_ft
  from control.ledger_accounts
  where currency = 'HUF' and kind in ('user_wallet', 'user_bonus', 'user_debt')
  group by owner_id;

-- The premium that was bought and not withdrawn from. Whether it has expired is for the reader's clock.
create view control_api.premium as
  select user_id, tier, expires_at from control.premium_purchases where ended_at is null;

create view control_api.spin_accounts as
  select user_id, last_free_spin_at, rerolls, granted, bought from control.spin_accounts;

-- Servers that exist for their customers. Of the environment a reader shows the variables of the template alone.
create view control_api.servers as
  select s.id, s.identifier, s.name, s.description, s.owner_id, n.computer_id, s.template_id,
    coalesce(o.state, 'creating') as state, coalesce(o.since, s.created_at) as since, a.renewed_at as node_renewed_at,
    s.suspended, s.suspended_reason, s.expires_at, s.created_at, s.cpu_percent, s.memory_mib, s.storage_mib,
    s.monthly_price_ft::double precision as monthly_price_ft, s.highlighted, s.service_name,
    s.spec ->> 'image' as image, s.spec -> 'startup' -> 'argv' as startup_argv, s.spec -> 'environment' as environment,
    s.spec -> 'allocations' as allocations,
    -- Test servers cost nothing, and one that is still ordered may yet be given up.
    not s.is_test and s.monthly_price_ft > 0
      and not exists (select from control.orders p where p.server_id = s.id and p.state = 'provisioning') as renews
  from control.servers s
    join control.nodes n on n.id = s.node_id
    left join control.server_state o on o.server_id = s.id
    left join control.agent_sessions a on a.node_id = s.node_id
  where s.deleted_at is null and s.desired = 'installed';

create view control_api.server_users as
  select server_id, user_id, permissions, created_at from control.server_users;

create view control_api.notifications as
  select id, user_id, text, data, created_at, read_at from control.notifications;

-- Browsers that want pushes, by their sessions: the site tells when one of them was seen. Neither addresses nor keys of theirs.
create view control_api.push_browsers as
  select session_id, seen_at from control.push_subscriptions;

-- The site connects as the owner of the schemas. The control plane reads the same views under its own role.
grant usage on schema control_api to bakter_app;
grant select on all tables in schema control_api to bakter_app;
alter default privileges in schema control_api grant select on tables to bakter_app;
