-- What providers told, money that fits no payment, money that goes back, and money that a bank took back.

alter table control.payments add column looked_at timestamptz;

-- An event of a provider is carried out once. Only events whose sender was proved are kept.
create table control.provider_events (
  provider text not null,
  event_id text not null check (length(event_id) between 1 and 255),
  provider_payment_id text not null,
  kind text not null,
  received_at timestamptz not null,
  -- Null while it was not carried out: a repetition tries again.
  processed_at timestamptz,
  unique (provider, event_id)
);
create index provider_events_by_time on control.provider_events (received_at);

-- Money at a provider that nothing here expects: parked until somebody of the staff says whose it is.
create table control.unmatched_payments (
  id uuid primary key,
  provider text not null,
  provider_payment_id text not null,
  kind text not null check (kind in ('settlement', 'refund')),
  problem text not null check (problem in ('UNKNOWN_PAYMENT', 'AMOUNT_MISMATCH', 'CURRENCY_MISMATCH',
    'REFERENCE_MISMATCH', 'SECOND_SETTLEMENT', 'FOREIGN_REFUND')),
  -- As the provider states it: units of 10^-exponent of its currency.
  amount_minor bigint not null,
  currency text not null,
  exponent integer not null check (exponent between 0 and 6),
  -- What it may be credited with in forints, where that is known.
  forwarded_ft bigint check (forwarded_ft > 0),
  reference text,
  -- The payment and the customer that it seems to belong to.
  payment_id uuid references control.payments (id),
  user_id uuid,
  state text not null default 'open' check (state in ('open', 'assigned', 'dismissed')),
  resolved_by uuid,
  resolution text,
  credited_ft bigint check (credited_ft > 0),
  created_at timestamptz not null,
  resolved_at timestamptz,
  unique (provider, provider_payment_id, kind),
  check ((state = 'open') = (resolved_at is null)),
  check ((state = 'assigned') = (credited_ft is not null))
);
create index unmatched_payments_open on control.unmatched_payments (id) where state = 'open';

-- Money on its way back to where it came from. The wallet has given it when the row appears; `failed` gave it back.
create table control.refunds (
  id uuid primary key,
  payment_id uuid not null references control.payments (id),
  user_id uuid not null,
  provider text not null,
  amount_ft bigint not null check (amount_ft > 0),
  reason text not null check (length(btrim(reason)) > 0),
  requested_by uuid not null,
  state text not null default 'requested' check (state in ('requested', 'pending', 'succeeded', 'failed')),
  provider_refund_id text,
  failure_code text,
  checks integer not null default 0,
  next_check_at timestamptz not null,
  request_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index refunds_payment on control.refunds (payment_id);
create index refunds_open on control.refunds (next_check_at) where state in ('requested', 'pending');

-- A payment that the customer's bank took back: what the wallet could give, and what the customer owes since.
create table control.chargebacks (
  payment_id uuid primary key references control.payments (id),
  user_id uuid not null,
  amount_ft bigint not null check (amount_ft > 0),
  from_wallet_ft bigint not null check (from_wallet_ft >= 0),
  debt_ft bigint not null check (debt_ft >= 0),
  -- What the house gave up of the debt.
  written_off_ft bigint not null default 0 check (written_off_ft >= 0),
  state text not null default 'taken' check (state in ('taken', 'won')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (from_wallet_ft + debt_ft = amount_ft),
  check (written_off_ft <= debt_ft)
);
create index chargebacks_user on control.chargebacks (user_id, created_at);

-- A customer's debt is an account of theirs that is never above zero; what banks took back is a cost of the house.
alter table control.ledger_accounts
  drop constraint ledger_accounts_kind_check,
  add constraint ledger_accounts_kind_check check (kind in (
    'user_wallet', 'user_bonus', 'user_debt', 'provider_clearing', 'provider_fee', 'revenue', 'vat_payable', 'promotion',
    'rounding', 'refunds_out', 'manual_adjustment', 'chargeback_loss')),
  drop constraint ledger_account_owner,
  add constraint ledger_account_owner check (
    (kind in ('user_wallet', 'user_bonus', 'user_debt')) = (owner_id <> '00000000-0000-0000-0000-000000000000')),
  add constraint ledger_account_debt check (kind <> 'user_debt' or balance_minor <= 0);
