-- What a withdrawal from a premium tier kept of its price beside the days that were used: for spins and for discounts.
alter table control.withdrawals
  add column kept_spins_ft bigint not null default 0,
  add column kept_discounts_ft bigint not null default 0,
  add constraint withdrawals_kept_of_premium
    check (kept_spins_ft >= 0 and kept_discounts_ft >= 0 and kept_spins_ft + kept_discounts_ft <= kept_ft);
