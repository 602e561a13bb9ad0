create schema if not exists identity;

-- One password for a person of public.users. No foreign key: schema public has its own migrations.
create table identity.credentials (
  user_id uuid primary key,
  password_hash text not null,
  changed_at timestamptz not null
);

-- A session is the family of refresh tokens that began with one sign-in.
create table identity.sessions (
  id uuid primary key,
  user_id uuid not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('logout', 'logout everywhere', 'token reused')),
  address text not null,
  user_agent text not null,
  check ((ended_at is null) = (end_reason is null))
);
create index sessions_of_user on identity.sessions (user_id) where ended_at is null;
create index sessions_by_expiry on identity.sessions (expires_at);

-- Only the SHA-256 of a refresh token is stored. parent is the token it was traded for.
create table identity.refresh_tokens (
  hash bytea primary key check (length(hash) = 32),
  session_id uuid not null references identity.sessions (id) on delete cascade,
  parent bytea,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_of_session on identity.refresh_tokens (session_id);

create table identity.consents (
  id uuid primary key,
  user_id uuid not null,
  document text not null,
  version text not null,
  given_at timestamptz not null,
  address text not null
);
create index consents_of_user on identity.consents (user_id, given_at);

-- A device that signed in once has a bucket of its own, so nobody can lock its owner out.
create table identity.known_devices (
  hash bytea not null check (length(hash) = 32),
  user_id uuid not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (hash, user_id)
);

-- Leaky buckets: empty_at_ms is the moment at which the bucket is empty again, in epoch milliseconds.
create unlogged table identity.limit_buckets (
  key text primary key,
  empty_at_ms bigint not null
);
create index limit_buckets_by_time on identity.limit_buckets (empty_at_ms);

-- The private half is sealed with a key derived from the deployment's secret.
create table identity.signing_keys (
  kid text primary key,
  public_x text not null,
  sealed_private bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);
