-- Tickets of customers. Messages are stored as they were written; whoever shows them renders them. The order within a ticket is that of
-- `seq`, which is given while the ticket's row is locked. A ticket in which a customer waits has `waiting_since`.
create table control.tickets (
  id uuid primary key,
  identifier text not null unique check (identifier ~ '^[acdefghjkmnpqrtuvwxy34679]{8}$'),
  title text not null check (title <> ''),
  category_id uuid not null,
  status text not null check (status in ('open', 'waiting for response', 'closed')),
  opener_id uuid not null,
  assignee_id uuid,
  follows_id uuid references control.tickets (id) on delete set null,
  merged_into uuid references control.tickets (id) on delete set null,
  waiting_since timestamptz,
  first_reply_at timestamptz,
  closed_at timestamptz check ((closed_at is null) = (status <> 'closed')),
  rating text check (rating in ('good', 'bad')),
  rating_changes integer not null default 0 check (rating_changes between 0 and 1),
  created_at timestamptz not null,
  -- Of the newest message or event; a note does not change it.
  moved_at timestamptz not null
);
create index tickets_opener on control.tickets (opener_id, moved_at desc, id desc);
create index tickets_waiting on control.tickets (category_id, waiting_since) where waiting_since is not null;
create index tickets_category on control.tickets (category_id, status, moved_at desc);
create index tickets_assignee on control.tickets (assignee_id) where assignee_id is not null;
create index tickets_first_reply on control.tickets (first_reply_at, category_id) where first_reply_at is not null;
create index tickets_closed on control.tickets (closed_at) where closed_at is not null;
create index tickets_follows on control.tickets (follows_id) where follows_id is not null;
create index tickets_merged on control.tickets (merged_into) where merged_into is not null;

create table control.ticket_messages (
  id uuid primary key,
  seq bigint generated always as identity,
  ticket_id uuid not null references control.tickets (id) on delete cascade,
  author_id uuid not null,
  by_staff boolean not null,
  kind text not null check (kind in ('message', 'note', 'event')),
  text text not null check ((text = '') = (kind = 'event')),
  event text check ((event is null) = (kind <> 'event')),
  -- The person or category of an event.
  about_id uuid,
  created_at timestamptz not null
);
create unique index ticket_messages_order on control.ticket_messages (ticket_id, seq);
create index ticket_messages_author on control.ticket_messages (author_id);

-- People besides the opener who see a ticket.
create table control.ticket_people (
  ticket_id uuid not null references control.tickets (id) on delete cascade,
  user_id uuid not null,
  added_at timestamptz not null,
  primary key (ticket_id, user_id)
);
create index ticket_people_user on control.ticket_people (user_id);

-- Up to which message somebody has read.
create table control.ticket_reads (
  ticket_id uuid not null references control.tickets (id) on delete cascade,
  user_id uuid not null,
  read_seq bigint not null,
  primary key (ticket_id, user_id)
);
create index ticket_reads_user on control.ticket_reads (user_id);
