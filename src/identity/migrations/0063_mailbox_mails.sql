-- When a mailbox, named by a hash, got mails that anybody can cause. Forgotten after a day, and by a crash of PostgreSQL.
create unlogged table identity.mailbox_mails (
  mailbox text primary key,
  sent_at timestamptz[] not null,
  newest_at timestamptz not null
);
create index mailbox_mails_by_time on identity.mailbox_mails (newest_at);
