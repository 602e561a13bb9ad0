-- Top-ups, orders, and the statement that a customer reads. The money itself is in the ledger; every row here names its
-- ledger document by id.

create table control.payments (
  id uuid primary key,
  user_id uuid not null,
  provider text not null,
  -- Null until the provider has answered the first call.
  provider_payment_id text,
  amount_ft bigint not null check (amount_ft > 0),
  currency char(3) not null default 'HUF',
  state text not null default 'created'
    check (state in ('created', 'pending', 'requires_action', 'failed', 'expired', 'settled')),
  -- Set when the provider's answer does not fit the order: nothing is credited and a person must look.
  problem text,
  redirect_url text,
  return_url text not null,
  terms_accepted_at timestamptz not null,
  address text not null default '',
  locale text not null,
  request_id text not null,
  checks integer not null default 0,
  next_check_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (provider, provider_payment_id)
);
create index payments_user on control.payments (user_id, id desc);
create index payments_open on control.payments (next_check_at) where state <> 'settled';

create table control.orders (
  id uuid primary key,
  user_id uuid not null,
  server_id uuid not null unique references control.servers (id),
  service_id uuid not null,
  package_id uuid,
  hold_id uuid not null unique references control.ledger_holds (id),
  state text not null default 'provisioning' check (state in ('provisioning', 'completed', 'failed')),
  months integer not null check (months between 1 and 6),
  monthly_ft bigint not null check (monthly_ft >= 0),
  total_ft bigint not null check (total_ft > 0),
  net_ft bigint not null,
  vat_ft bigint not null,
  -- Name by language and priced lines as they were at the moment of the order.
  product jsonb not null,
  lines jsonb not null,
  failure_reason text,
  locale text not null,
  request_id text not null,
  created_at timestamptz not null,
  settled_at timestamptz,
  check (net_ft + vat_ft = total_ft),
  check ((state = 'provisioning') = (settled_at is null)),
  check ((state = 'failed') = (failure_reason is not null))
);
create index orders_user on control.orders (user_id, id desc);
create index orders_open on control.orders (created_at) where state = 'provisioning';

-- One line of a customer's statement: what the balance gained or lost, why, and the document that explains it.
create table control.wallet_transactions (
  id uuid primary key,
  user_id uuid not null,
  type text not null check (type in ('top-up', 'order', 'renewal', 'server modification', 'premium', 'spin', 'prize',
    'coupon', 'refund', 'correction')),
  payment_type text not null,
  amount_ft bigint not null check (amount_ft <> 0),
  status text not null check (status in ('processing', 'finished', 'failed')),
  reason text not null check (length(btrim(reason)) > 0),
  document_kind text not null check (document_kind in ('order', 'payment', 'invoice', 'none')),
  document_id text not null,
  refunded_ft bigint not null default 0 check (refunded_ft between 0 and abs(amount_ft)),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (document_kind, document_id, type)
);
create index wallet_transactions_user on control.wallet_transactions (user_id, id desc);

-- The sandbox's own books. It stands for a provider outside, so nothing but the sandbox reads or writes them.
create table control.sandbox_payments (
  id text primary key check (length(id) >= 32),
  reference text not null unique,
  amount_ft bigint not null check (amount_ft > 0),
  state text not null default 'waiting' check (state in ('waiting', 'succeeded', 'failed', 'cancelled')),
  return_url text not null,
  locale text not null,
  created_at timestamptz not null,
  decided_at timestamptz
);
