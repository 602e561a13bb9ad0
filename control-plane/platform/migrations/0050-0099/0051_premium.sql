-- Premium: what was bought, until when, and whether its end was told.

create table control.premium_purchases (
  id uuid primary key,
  user_id uuid not null,
  tier text not null check (tier in ('essentials', 'maximus', 'ultimus')),
  price_ft bigint not null check (price_ft > 0),
  -- Free spins at the purchase and each 30 days, as they were when it was bought.
  spins integer not null check (spins >= 0),
  started_at timestamptz not null,
  expires_at timestamptz not null,
  -- When free spins come again; null when none do before the end.
  next_spins_at timestamptz,
  -- Set once, when the tier was found to be over.
  ended_at timestamptz,
  request_id text not null,
  check (expires_at > started_at)
);
-- Nobody has two tiers at once.
create unique index premium_purchases_open on control.premium_purchases (user_id) where ended_at is null;
create index premium_purchases_user on control.premium_purchases (user_id, started_at desc);
create index premium_purchases_due on control.premium_purchases (expires_at) where ended_at is null;
create index premium_purchases_spins on control.premium_purchases (next_spins_at) where ended_at is null;
