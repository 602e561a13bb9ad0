-- An expiry while the renewal fails on our side: told, and without the 72 h of one that nobody renewed.
alter table control.lifetime_notices drop constraint lifetime_notices_kind_check;
alter table control.lifetime_notices add constraint lifetime_notices_kind_check
  check (kind in ('remind-7', 'remind-3', 'remind-1', 'renewal-missing', 'renewal-failed', 'expired'));
