-- Invoices on their way to the invoicing provider outside, and what became of them. The provider numbers its own documents; its
-- number is kept beside ours.
create table control.invoice_hand_overs (
  id uuid primary key references control.invoices (id),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  provider_number text,
  -- How often the provider was asked to issue: it wants no more than five.
  sends integer not null default 0,
  tries integer not null default 0,
  next_try_at timestamptz not null,
  leased_until timestamptz,
  expires_at timestamptz not null,
  failure text,
  request_id text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint invoice_hand_overs_finished check ((state = 'waiting') = (finished_at is null)),
  constraint invoice_hand_overs_numbered check (state <> 'sent' or provider_number is not null)
);
create index invoice_hand_overs_waiting on control.invoice_hand_overs (next_try_at) where state = 'waiting';
