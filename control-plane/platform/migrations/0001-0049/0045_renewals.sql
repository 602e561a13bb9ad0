-- The paid time of servers. A program of the release before knows only `servers.expires_at`, so every new column has a default.

alter table control.servers
  -- The customer wants it renewed by itself.
  add column auto_renew boolean not null default false,
  -- Granted by staff for a day; never renewed.
  add column is_test boolean not null default false,
  -- The expiry stopped it: when it is paid for again it runs again.
  add column stopped_by_expiry boolean not null default false;

-- One charge for each period that a server was renewed for, whatever the clock does.
create table control.renewals (
  id uuid primary key,
  server_id uuid not null references control.servers (id),
  user_id uuid not null,
  hold_id uuid not null unique references control.ledger_holds (id),
  automatic boolean not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  months integer not null check (months between 1 and 6),
  monthly_ft bigint not null check (monthly_ft >= 0),
  discount_ft bigint not null check (discount_ft >= 0),
  total_ft bigint not null check (total_ft > 0),
  net_ft bigint not null,
  vat_ft bigint not null,
  -- Name by language as it was at the moment of the renewal.
  product jsonb not null,
  locale text not null,
  request_id text not null,
  created_at timestamptz not null,
  unique (server_id, period_start),
  check (period_end = period_start + months * interval '720 hours'),
  check (monthly_ft * months - discount_ft = total_ft),
  check (net_ft + vat_ft = total_ft)
);
create index renewals_user on control.renewals (user_id, id desc);

-- What was paid for which time. What somebody gets back is worked out from these, never from a price list.
create table control.paid_spans (
  id uuid primary key default gen_random_uuid(),
  server_id uuid not null references control.servers (id),
  order_id uuid references control.orders (id),
  renewal_id uuid references control.renewals (id),
  position integer not null check (position >= 0),
  start_at timestamptz not null,
  end_at timestamptz not null,
  from_monthly_ft bigint not null check (from_monthly_ft >= 0),
  to_monthly_ft bigint not null,
  held_monthly_ft bigint not null,
  paid_ft bigint not null check (paid_ft >= 0),
  returned_ft bigint not null default 0,
  created_at timestamptz not null,
  unique (order_id, position),
  unique (renewal_id, position),
  constraint paid_spans_source check (num_nonnulls(order_id, renewal_id) = 1),
  check (end_at > start_at),
  check (held_monthly_ft between from_monthly_ft and to_monthly_ft),
  check (returned_ft between 0 and paid_ft)
);
create index paid_spans_server on control.paid_spans (server_id, end_at);

alter table control.wallet_transactions
  drop constraint wallet_transactions_document_kind_check,
  add constraint wallet_transactions_document_kind_check
    check (document_kind in ('order', 'payment', 'invoice', 'renewal', 'modification', 'none'));

-- The months of the orders so far; what does not divide goes to the first ones.
insert into control.paid_spans (server_id, order_id, position, start_at, end_at, from_monthly_ft, to_monthly_ft, held_monthly_ft,
  paid_ft, created_at)
select o.server_id, o.id, m.position, s.expires_at - (o.months - m.position) * interval '720 hours',
  s.expires_at - (o.months - m.position - 1) * interval '720 hours', 0, o.monthly_ft, o.monthly_ft,
  o.total_ft / o.months + case when m.position < o.total_ft % o.months then 1 else 0 end, o.settled_at
from control.orders o
  join control.servers s on s.id = o.server_id
  cross join lateral generate_series(0, o.months - 1) as m (position)
where o.state = 'completed';
