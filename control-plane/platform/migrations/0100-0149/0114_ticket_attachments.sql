-- Files of tickets. They are uploaded first and belong to a message from the moment it is written; what belongs to none goes after a day.
create table control.ticket_attachments (
  id uuid primary key,
  author_id uuid not null,
  message_id uuid references control.ticket_messages (id) on delete cascade,
  -- The place within its message.
  place integer check ((place is null) = (message_id is null)),
  name text not null check (name <> ''),
  kind text not null check (kind in ('picture', 'text', 'archive')),
  media_type text not null,
  bytes bytea not null check (length(bytes) between 1 and 10485760),
  size integer not null generated always as (length(bytes)) stored,
  created_at timestamptz not null
);
create unique index ticket_attachments_message on control.ticket_attachments (message_id, place) where message_id is not null;
create index ticket_attachments_author on control.ticket_attachments (author_id);
create index ticket_attachments_unsent on control.ticket_attachments (created_at) where message_id is null;
