-- Coupons in orders. The coupons of staff are the CMS's; these are their uses, and the coupons that the prize wheel gave.

create table control.prize_coupons (
  id uuid primary key,
  code text not null unique check (code ~ '^[A-Z0-9][A-Z0-9_-]{1,30}[A-Z0-9]$'),
  user_id uuid not null,
  percent integer not null check (percent between 1 and 100),
  -- The package of a won server; null where the coupon is for any service.
  package_id uuid,
  spin_id uuid not null unique,
  drawn_at timestamptz not null
);
create index prize_coupons_user on control.prize_coupons (user_id, drawn_at desc);

-- One row for each use. It is reserved with its order, used when the order is completed and released when it fails.
create table control.coupon_reservations (
  coupon_id uuid not null,
  order_id uuid not null,
  user_id uuid not null,
  code text not null,
  once boolean not null,
  amount_ft bigint not null check (amount_ft >= 0),
  state text not null default 'reserved' check (state in ('reserved', 'used', 'released')),
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (coupon_id, order_id),
  check ((state = 'reserved') = (settled_at is null))
);
create unique index coupon_reservations_once on control.coupon_reservations (coupon_id, user_id)
  where once and state <> 'released';
create index coupon_reservations_order on control.coupon_reservations (order_id);
create index coupon_reservations_user on control.coupon_reservations (user_id);

-- An order that a coupon pays whole has nothing to hold.
alter table control.orders alter column hold_id drop not null;
alter table control.orders drop constraint orders_total_ft_check;
alter table control.orders add constraint orders_total_ft_check check (total_ft >= 0);
alter table control.orders add constraint orders_hold check ((hold_id is null) = (total_ft = 0));
alter table control.orders
  add column premium_percent integer not null default 0 check (premium_percent between 0 and 100),
  add column coupon_id uuid,
  -- What was shown, part by part, and what each month costs after every discount: the basis of refunds.
  add column parts jsonb not null default '[]',
  add column paid_by_month jsonb not null default '[]';
alter table control.wallet_transactions drop constraint wallet_transactions_amount_ft_check;

