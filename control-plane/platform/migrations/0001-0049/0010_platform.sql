-- Events that do not fit into a notification of PostgreSQL. Read by their id within minutes, then removed.
create table control.bus_events (id uuid primary key, body jsonb not null, created_at timestamptz not null);

-- A ticket opens one socket. A row is the proof of its use; it may go once the ticket itself has ended.
create table control.used_gateway_tickets (jti uuid primary key, expires_at timestamptz not null);
create index used_gateway_tickets_end on control.used_gateway_tickets (expires_at);

-- Sessions of users that ended before their access token did; a token of theirs opens no socket. Without a session id
-- every session of the user ended at that time.
create table control.ended_sessions (
  id uuid primary key,
  user_id uuid not null,
  session_id uuid,
  ended_at timestamptz not null
);
create index ended_sessions_user on control.ended_sessions (user_id);
create index ended_sessions_end on control.ended_sessions (ended_at);

-- Servers that an agent runs and the database does not know: reported, never stopped (SPEC.md A10).
create table control.orphan_servers (
  node_id uuid not null references control.nodes (id),
  server_id uuid not null,
  generation integer not null,
  state text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (node_id, server_id)
);

-- One command of a kind that must not run twice waits at a time for a server.
create unique index commands_one_of_a_kind on control.commands (server_id, kind)
  where state in ('pending', 'accepted') and kind in ('install', 'reinstall', 'delete');


-- When readers were told that this node is gone; null while it is reachable.
alter table control.agent_sessions add column lost_at timestamptz;

-- The application reads people and catalog through the views of the CMS, also those that a later migration of it makes.
do $$
begin
  if exists (select from pg_catalog.pg_namespace where nspname = 'cms_api') then
    grant usage on schema cms_api to bakter_app;
    grant select on all tables in schema cms_api to bakter_app;
    alter default privileges in schema cms_api grant select on tables to bakter_app;
  end if;
end
$$;
