-- A share may end by itself. Every reader of rights asks for the time, so the end holds at its moment; the row is removed a little later.
alter table control.server_users add column ends_at timestamptz;
create index server_users_end on control.server_users (ends_at) where ends_at is not null;

create or replace view control_api.server_users as
  select server_id, user_id, permissions, created_at from control.server_users
  where ends_at is null or ends_at > clock_timestamp();

-- Invitations that nobody has answered have a table of their own: no query that reads server_users for somebody's rights can
-- mistake one for a share.
create table control.server_invitations (
  server_id uuid not null references control.servers (id),
  user_id uuid not null,
  permissions text[] not null,
  ends_at timestamptz,
  invited_by uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (server_id, user_id)
);
create index server_invitations_user on control.server_invitations (user_id);
create index server_invitations_expiry on control.server_invitations (expires_at);

-- The answer to an invitation tells whether an account has an address, so tries are counted for the owner of the server and for
-- the person who invites, those that failed too.
create table control.invitation_tries (
  id uuid primary key,
  owner_id uuid not null,
  user_id uuid not null,
  tried_at timestamptz not null
);
create index invitation_tries_owner on control.invitation_tries (owner_id, tried_at);
create index invitation_tries_user on control.invitation_tries (user_id, tried_at);

-- Shares that were changed or ended while tokens of theirs may still be valid. A node that was away is told when it is back.
create table control.revoked_shares (
  server_id uuid not null,
  user_id uuid not null,
  revoked_at timestamptz not null,
  primary key (server_id, user_id)
);
create index revoked_shares_time on control.revoked_shares (revoked_at);
