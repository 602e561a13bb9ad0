-- Mails that were received for tickets. A row is written with what became of its mail, in one transaction, before the mail leaves the
-- mailbox: each place of a mailbox is handled once. Senders are kept as hashes, to count them.
create table control.received_mails (
  mailbox text not null,
  uid_validity bigint not null,
  uid bigint not null,
  -- Of the Message-ID with its sender and ticket: the same mail again, at another place.
  digest bytea not null,
  sender_hash bytea,
  text_hash bytea,
  ticket_id uuid references control.tickets (id) on delete cascade,
  outcome text not null,
  answered boolean not null default false,
  received_at timestamptz not null,
  primary key (mailbox, uid_validity, uid)
);
create unique index received_mails_once on control.received_mails (digest) where outcome = 'message';
create index received_mails_sender on control.received_mails (sender_hash, received_at);
create index received_mails_answered on control.received_mails (received_at) where answered;
create index received_mails_ticket on control.received_mails (ticket_id, sender_hash) where ticket_id is not null;
create index received_mails_age on control.received_mails (received_at);

-- What a program quoted below a message that came by mail, and the signature: shown folded.
alter table control.ticket_messages add column quoted text not null default '';

-- Which replies of staff somebody got by mail. `due_at` is set while unread ones wait.
create table control.ticket_mails (
  ticket_id uuid not null references control.tickets (id) on delete cascade,
  user_id uuid not null,
  due_at timestamptz,
  mailed_seq bigint not null default 0,
  -- The Message-ID of the last mail that they sent to the ticket.
  answer_to text,
  primary key (ticket_id, user_id)
);
create index ticket_mails_due on control.ticket_mails (due_at) where due_at is not null;
create index ticket_mails_user on control.ticket_mails (user_id);
