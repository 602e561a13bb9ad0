-- Other resources for the rest of a paid time: what was charged or given back for it, and what it was worked out from.
create table control.modifications (
  id uuid primary key,
  server_id uuid not null references control.servers (id),
  user_id uuid not null,
  hold_id uuid unique references control.ledger_holds (id),
  -- The monthly prices before and after, and the days that were left.
  from_monthly_ft bigint not null,
  to_monthly_ft bigint not null,
  days integer not null check (days >= 0),
  charge_ft bigint not null check (charge_ft >= 0),
  -- Back to where it came from: the customer's money, and the bonus.
  back_money_ft bigint not null check (back_money_ft >= 0),
  back_bonus_ft bigint not null check (back_bonus_ft >= 0),
  from_limits jsonb not null,
  to_limits jsonb not null,
  locale text not null,
  request_id text not null,
  created_at timestamptz not null,
  check (charge_ft = 0 or back_money_ft + back_bonus_ft = 0),
  check ((charge_ft > 0) = (hold_id is not null))
);
create index modifications_user on control.modifications (user_id, id desc);
create index modifications_server on control.modifications (server_id);

alter table control.paid_spans
  add column modification_id uuid unique references control.modifications (id),
  drop constraint paid_spans_source,
  add constraint paid_spans_source check (num_nonnulls(order_id, renewal_id, modification_id) = 1);
