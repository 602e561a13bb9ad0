-- What the tax office of the Union (VIES) said of customers' VAT numbers. An answer belongs to what the billing profile said then: a
-- changed profile is asked about anew.
create table control.vat_checks (
  user_id uuid primary key,
  -- Country and tax number as the profile has them.
  profile text not null,
  -- The number that is asked about, with the prefix of its country; empty where the profile holds none.
  number text check (number ~ '^[A-Z]{2}[A-Z0-9+*]{2,12}$'),
  -- Empty until there was an answer.
  is_valid boolean,
  checked_at timestamptz,
  -- The proof that it was asked, where the office gives one.
  consultation_number text,
  -- Since the last answer, and why there was none.
  tries integer not null default 0 check (tries >= 0),
  failure text,
  -- When it is asked again; empty where there is nothing to ask.
  next_try_at timestamptz,
  updated_at timestamptz not null,
  constraint vat_checks_answered check ((is_valid is null) = (checked_at is null)),
  constraint vat_checks_asked check (number is not null or (is_valid is null and next_try_at is null))
);
create index vat_checks_due on control.vat_checks (next_try_at);
