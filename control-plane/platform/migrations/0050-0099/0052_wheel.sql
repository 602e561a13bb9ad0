-- The prize wheel: what somebody may spin with, the draws, and the seeds that were promised for the next ones.

create table control.spin_accounts (
  user_id uuid primary key,
  last_free_spin_at timestamptz,
  rerolls integer not null default 0 check (rerolls >= 0),
  granted integer not null default 0 check (granted >= 0),
  bought integer not null default 0 check (bought >= 0)
);

-- One row for each grant of free spins; its key is unique for ever.
create table control.spin_grants (
  key text primary key,
  user_id uuid not null,
  spins integer not null check (spins > 0),
  -- The spin coupon, where it came from one: each customer uses it once.
  coupon_id uuid,
  created_at timestamptz not null
);
create unique index spin_grants_coupon on control.spin_grants (coupon_id, user_id) where coupon_id is not null;
create index spin_grants_user on control.spin_grants (user_id);

create table control.spin_purchases (
  id uuid primary key,
  user_id uuid not null,
  count integer not null check (count > 0),
  price_ft bigint not null check (price_ft > 0),
  created_at timestamptz not null
);
create index spin_purchases_user on control.spin_purchases (user_id, created_at desc);

-- The seed of the next draw. Its hash is told before the spin, the seed after it.
create table control.spin_seeds (
  user_id uuid primary key,
  server_seed text not null check (server_seed ~ '^[0-9a-f]{64}$'),
  server_seed_hash text not null check (server_seed_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null
);

create table control.spins (
  id uuid primary key,
  user_id uuid not null,
  source text not null check (source in ('reroll', 'weekly', 'granted', 'bought')),
  -- Of the weekly spin: two presses of the button are one free spin.
  key text unique,
  type text not null check (type in ('money', 'reroll', 'server', 'coupon', 'nothing')),
  amount integer not null check (amount >= 0),
  prize_id text not null,
  -- Everything that a customer needs to work the draw out again, as it was then.
  prizes jsonb not null,
  ticket bigint not null check (ticket >= 0),
  server_seed text not null,
  server_seed_hash text not null unique,
  client_seed text not null,
  nonce integer not null,
  coupon_code text,
  created_at timestamptz not null
);
create index spins_user on control.spins (user_id, id desc);

alter table control.prize_coupons add constraint prize_coupons_spin foreign key (spin_id) references control.spins (id);
