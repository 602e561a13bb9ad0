-- A shared secret of an authenticator app. It counts from confirmed_at on: before, the person has not shown a code of it.
create table identity.totp (
  user_id uuid primary key,
  sealed_secret text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The last 30-second step whose code was accepted: no code of it or of an older step is accepted again.
  last_step bigint
);

-- Only the SHA-256 of person and code is stored. A code has 80 random bits.
create table identity.recovery_codes (
  user_id uuid not null,
  hash bytea not null check (length(hash) = 32),
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- Public keys of WebAuthn credentials.
create table identity.passkeys (
  id uuid primary key,
  user_id uuid not null,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text not null,
  name text not null,
  is_backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_user on identity.passkeys (user_id);

-- What one browser may do once, for a few minutes, and for one purpose. Only hashes of its two secrets are stored: one is in the
-- answer, the other in a cookie.
create table identity.challenges (
  hash bytea primary key check (length(hash) = 32),
  browser bytea not null check (length(browser) = 32),
  purpose text not null check (purpose in ('second factor', 'passkey sign-in', 'new passkey')),
  -- Null while nobody knows yet who signs in.
  user_id uuid,
  webauthn text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  attempts integer not null default 0,
  used_at timestamptz
);
create index challenges_by_expiry on identity.challenges (expires_at);

-- With what the person who opened the session showed that the password is not all they have.
alter table identity.sessions add column factor text check (factor in ('totp', 'recovery code', 'passkey'));
alter table identity.sessions drop constraint if exists sessions_end_reason_check;
alter table identity.sessions add constraint sessions_end_reason_check check (end_reason ~ '^[a-z -]{3,40}$');

-- Whether a password alone does not open this person's account.
create function identity.has_factor(person uuid) returns boolean language sql stable as $$
  select exists (select 1 from identity.totp where totp.user_id = person and totp.confirmed_at is not null)
      or exists (select 1 from identity.passkeys where passkeys.user_id = person)
$$;
