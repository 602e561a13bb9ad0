-- What a person has closed of the messages to everybody: it stays closed in each of their browsers, until it changes.
create table identity.dismissed_messages (
  user_id uuid not null,
  message_id uuid not null,
  revision text not null check (length(revision) between 1 and 32),
  dismissed_at timestamptz not null,
  primary key (user_id, message_id)
);
