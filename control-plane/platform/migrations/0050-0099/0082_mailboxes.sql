-- The mailboxes that a person confirmed, as hashes: what is free once is free once for a mailbox, whatever its address is
-- written like. Rows of earlier customers are written when the control plane starts, because the name of a mailbox is
-- computed in one place (src/domain/users/mailbox.ts).

create table control.mailboxes (
  user_id uuid not null,
  mailbox text not null,
  noted_at timestamptz not null,
  primary key (user_id, mailbox)
);
create index mailboxes_by_mailbox on control.mailboxes (mailbox);
