-- What staff move by hand, and what waits for a second person. Programs of the release before know none of it.

-- A credit, a debit or a refund above the limit of one person. It expires by its time alone.
create table control.money_proposals (
  id uuid primary key,
  act text not null check (act in ('credit', 'refund')),
  user_id uuid not null,
  direction text not null check (direction in ('credit', 'debit')),
  bucket text not null check (bucket in ('money', 'bonus')),
  amount_ft bigint not null check (amount_ft > 0),
  with_debt boolean not null default false,
  -- The payment of a refund.
  payment_id uuid references control.payments (id),
  reason text not null check (length(btrim(reason)) > 0),
  state text not null default 'open' check (state in ('open', 'confirmed', 'refused')),
  proposed_by uuid not null,
  decided_by uuid,
  note text not null default '',
  request_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  check (expires_at > created_at),
  check ((act = 'refund') = (payment_id is not null)),
  check ((state = 'open') = (decided_at is null)),
  check ((state = 'open') = (decided_by is null)),
  -- Two people, whatever a program says.
  constraint money_proposals_second_person check (state <> 'confirmed' or decided_by <> proposed_by)
);
create index money_proposals_open on control.money_proposals (id) where state = 'open';
create index money_proposals_user on control.money_proposals (user_id, id desc);

-- One row for each credit or debit by hand that was posted. Its id is the key of the posting.
create table control.manual_credits (
  id uuid primary key,
  user_id uuid not null,
  direction text not null check (direction in ('credit', 'debit')),
  bucket text not null check (bucket in ('money', 'bonus')),
  -- What the balance gained or lost, and what became debt beside it.
  balance_ft bigint not null check (balance_ft >= 0),
  debt_ft bigint not null check (debt_ft >= 0),
  reason text not null check (length(btrim(reason)) > 0),
  made_by uuid not null,
  proposal_id uuid unique references control.money_proposals (id),
  created_at timestamptz not null,
  check (balance_ft + debt_ft > 0)
);
revoke update, delete, truncate on control.manual_credits from bakter_app;
create index manual_credits_made on control.manual_credits (made_by, user_id, created_at);

-- A refund that a second person agreed to.
alter table control.refunds add column proposal_id uuid unique references control.money_proposals (id);
create index refunds_requested on control.refunds (requested_by, user_id, created_at);

-- Staff look movements up by their day.
create index ledger_tx_created on control.ledger_transactions (created_at);
