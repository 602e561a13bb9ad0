-- Whoever looks at a payment has it until then, so that two programs do not do the same work; `failures` counts the looks in a row
-- at which its provider could not be asked.
alter table control.payments
  add column claimed_until timestamptz,
  add column failures integer not null default 0 check (failures >= 0);
alter table control.refunds
  add column failures integer not null default 0 check (failures >= 0);

-- What was sent back may still fail at the customer's bank: such refunds are looked at for a while.
create index refunds_watched on control.refunds (next_check_at) where state = 'succeeded';
update control.refunds set next_check_at = 'infinity' where state in ('succeeded', 'failed');
