-- Which Discord account is whose: one for each person, and one person for each. Nobody signs in by it, so no token is kept.
create table identity.discord_links (
  user_id uuid primary key,
  discord_id text not null check (discord_id ~ '^[0-9]{1,20}$'),
  name text not null check (length(name) between 1 and 100),
  linked_at timestamptz not null,
  constraint discord_links_account unique (discord_id)
);

-- A link that was begun: it serves the browser and the session that began it, once, for ten minutes. Only hashes of its two
-- secrets are stored: one travels through Discord as `state`, the other is in a cookie.
create table identity.discord_attempts (
  hash bytea primary key check (length(hash) = 32),
  browser bytea not null check (length(browser) = 32),
  user_id uuid not null,
  session_id uuid not null,
  next_path text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index discord_attempts_by_expiry on identity.discord_attempts (expires_at);
