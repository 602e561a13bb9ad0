-- Money that goes back at a provider: each refund and each dispute that it lists, whoever made it, and what was taken from
-- customers for it. A program of the release before writes `chargebacks` without the new columns: one dispute of a whole payment.

create table control.provider_reversals (
  provider text not null,
  provider_payment_id text not null,
  kind text not null check (kind in ('refund', 'dispute')),
  -- The provider's id of it; empty where a provider lists none and only says that there is one.
  reversal_id text not null check (length(reversal_id) <= 255),
  -- How much of what was paid goes back, both in the provider's unit.
  amount_minor bigint not null check (amount_minor >= 0),
  whole_minor bigint not null check (whole_minor >= 0),
  state text not null check (state in ('pending', 'succeeded', 'failed', 'open', 'lost', 'won')),
  -- The refund of ours that it is; null for one that was made at the provider's own pages.
  refund_id uuid unique references control.refunds (id),
  -- Who of the staff said how a dispute ended, and why, where the provider does not.
  closed_by uuid,
  reason text,
  seen_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (provider, provider_payment_id, kind, reversal_id),
  check ((kind = 'refund') = (state in ('pending', 'succeeded', 'failed')))
);

insert into control.provider_reversals (provider, provider_payment_id, kind, reversal_id, amount_minor, whole_minor, state, seen_at,
    updated_at)
  select provider, provider_payment_id, 'dispute', '', 1, 1, dispute, updated_at, updated_at from control.payments
  where dispute <> 'none' and provider_payment_id is not null;

-- A payment may have several disputes and refunds; parked money that was given to a customer has them as well.
alter table control.chargebacks
  drop constraint chargebacks_pkey,
  alter column payment_id drop not null,
  add column id uuid not null default gen_random_uuid() primary key,
  add column kind text not null default 'dispute' check (kind in ('dispute', 'refund')),
  add column source_id text not null default '',
  add column unmatched_id uuid references control.unmatched_payments (id),
  drop constraint chargebacks_state_check,
  add constraint chargebacks_state_check check (state in ('taken', 'won', 'returned')),
  add constraint chargebacks_document check (num_nonnulls(payment_id, unmatched_id) = 1);
create unique index chargebacks_source on control.chargebacks (coalesce(payment_id, unmatched_id), kind, source_id);

-- What of parked money went back, in the unit of `amount_minor`; `went_back_at` while that is all of it.
alter table control.unmatched_payments
  add column went_back_minor bigint not null default 0 check (went_back_minor >= 0),
  add column is_disputed boolean not null default false,
  add column went_back_at timestamptz;
