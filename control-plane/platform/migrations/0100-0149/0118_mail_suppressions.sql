-- Addresses to which a mail server said that nothing can be delivered. Only hashes are kept.
create table control.mail_suppressions (
  address_hash bytea primary key,
  status text not null,
  since timestamptz not null
);
create index mail_suppressions_age on control.mail_suppressions (since);
