-- Contracts that customers withdraw from, and money of servers that staff give back. A program of the release before knows
-- neither and writes into none of it; every new column has a default.

-- The first of the two steps makes the row, the second fills it.
create table control.withdrawals (
  id uuid primary key,
  user_id uuid not null,
  kind text not null check (kind in ('order', 'renewal', 'premium')),
  document_id uuid not null,
  -- Null for a premium tier.
  server_id uuid references control.servers (id),
  begun_at timestamptz not null,
  -- When the customer confirmed: the statement that the mail acknowledges.
  confirmed_at timestamptz,
  back_money_ft bigint not null default 0 check (back_money_ft >= 0),
  back_bonus_ft bigint not null default 0 check (back_bonus_ft >= 0),
  -- For the time that was used.
  kept_ft bigint not null default 0 check (kept_ft >= 0),
  request_id text not null,
  -- One withdrawal from a contract, whatever happens at once.
  unique (kind, document_id),
  check (confirmed_at >= begun_at)
);
create index withdrawals_user on control.withdrawals (user_id, begun_at desc);
create index withdrawals_server on control.withdrawals (server_id);

-- Whether the customer asked for the service to begin before the days of withdrawal are over.
alter table control.renewals add column immediate_start boolean not null default false;
alter table control.premium_purchases add column immediate_start boolean not null default false;

-- A period whose renewal was withdrawn from can be renewed anew.
alter table control.renewals add column withdrawn_at timestamptz;
alter table control.renewals drop constraint renewals_server_id_period_start_key;
create unique index renewals_period on control.renewals (server_id, period_start) where withdrawn_at is null;

-- The span of an upgrade is parted where a renewed period begins that is withdrawn from.
alter table control.paid_spans drop constraint paid_spans_modification_id_key;
create unique index paid_spans_modification on control.paid_spans (modification_id, position) where modification_id is not null;

-- What staff gave back of a server, to the balance.
create table control.server_refunds (
  id uuid primary key,
  server_id uuid not null references control.servers (id),
  user_id uuid not null,
  staff_id uuid not null,
  amount_money_ft bigint not null check (amount_money_ft >= 0),
  amount_bonus_ft bigint not null check (amount_bonus_ft >= 0),
  reason text not null check (length(btrim(reason)) > 0),
  -- Whether the server's paid time was ended with it.
  ended_server boolean not null,
  request_id text not null,
  created_at timestamptz not null,
  check (amount_money_ft + amount_bonus_ft > 0)
);
create index server_refunds_server on control.server_refunds (server_id);
create index server_refunds_user on control.server_refunds (user_id);
