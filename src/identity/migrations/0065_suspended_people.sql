-- Accounts of which no session goes on. What they have opened to strangers, such as a shared log, ends with their sessions. The columns are
-- those of identity.is_suspended; a view is answered without a call for each account.
create view cms_api.suspended_people as
  select person.id from public.users person where person.suspended
  union select gone.user_id from identity.account_deletions gone;
