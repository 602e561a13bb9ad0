-- What the tax office of the Union (VIES) said of customers' VAT numbers. An answer belongs to the number that was asked about: a
-- changed profile is asked about anew.
create table control.vat_checks (
  user_id uuid primary key,
  -- With the prefix of its country, as it was asked.
  number text not null check (number ~ '^[A-Z]{2}[A-Z0-9+*]{2,12}$'),
  -- Empty until there was an answer.
  is_valid boolean,
  checked_at timestamptz,
  -- The proof that it was asked, where the office gives one.
  consultation_number text,
  tries integer not null default 0 check (tries >= 0),
  -- Why there is no answer yet.
  failure text,
  next_try_at timestamptz not null,
  updated_at timestamptz not null,
  constraint vat_checks_answered check ((is_valid is null) = (checked_at is null))
);
create index vat_checks_due on control.vat_checks (next_try_at);
