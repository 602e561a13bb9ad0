-- How often a coupon of staff was used or is reserved; the CMS shows it beside the coupon.
create view control.coupon_uses as
  select coupon_id, count(*)::int as uses from control.coupon_reservations where state <> 'released' group by coupon_id;
revoke insert, update, delete, truncate on control.coupon_uses from bakter_app;
