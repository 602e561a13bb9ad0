-- The phone has no provider that could be asked: its aggregator signs what it tells, and these books keep it. Nothing but the
-- phone's adapter reads or writes them.

-- What was offered to a customer: the code to send and what it costs and gives.
create table control.phone_payments (
  code text primary key check (length(code) = 8),
  payment_id uuid not null unique,
  kind text not null check (kind in ('premium-sms', 'premium-call')),
  number text not null,
  paid_ft bigint not null check (paid_ft > 0),
  credited_ft bigint not null check (credited_ft between 1 and paid_ft),
  -- The message that paid it; every further one is money of its own.
  message_id text unique,
  expires_at timestamptz not null,
  created_at timestamptz not null
);

-- Messages and calls of customers, as the aggregator tells them. Of the caller nothing is kept but the last three digits.
create table control.phone_messages (
  message_id text primary key check (length(message_id) between 1 and 120),
  -- Null where the text holds no code that was given out.
  code text references control.phone_payments (code),
  kind text not null check (kind in ('premium-sms', 'premium-call')),
  gross_ft bigint not null check (gross_ft > 0),
  forwarded_ft bigint not null check (forwarded_ft between 0 and gross_ft),
  currency text not null,
  state text not null check (state in ('received', 'rejected', 'billed', 'charged_back')),
  sender_tail text not null check (length(sender_tail) <= 3),
  received_at timestamptz not null,
  updated_at timestamptz not null
);
create index phone_messages_code on control.phone_messages (code);
