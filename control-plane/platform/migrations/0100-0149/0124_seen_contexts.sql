-- What a customer saw of a server before they sent a ticket about it, for an hour: a console has other lines a moment later, and exactly what was shown goes along
-- (decision 94).
create table control.seen_contexts (
  user_id uuid not null,
  server_id uuid not null,
  mark text not null,
  context jsonb not null,
  created_at timestamptz not null,
  primary key (user_id, server_id, mark)
);
create index seen_contexts_age on control.seen_contexts (created_at);
