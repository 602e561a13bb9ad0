-- What opens the files of a person's servers besides their password: public keys, and passwords for one program each.
create table identity.ssh_keys (
  id uuid primary key,
  user_id uuid not null,
  name text not null check (length(name) between 1 and 60),
  algorithm text not null check (algorithm in ('ssh-ed25519', 'ssh-rsa')),
  -- The key in the form of the SSH wire, in base64, and what clients show of it.
  public_key text not null check (length(public_key) <= 3000),
  fingerprint text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  unique (user_id, public_key)
);

create table identity.app_passwords (
  id uuid primary key,
  user_id uuid not null,
  name text not null check (length(name) between 1 and 60),
  -- SHA-256 of a drawn text of 120 bits: too many to guess, so that it needs no slow hash.
  hash bytea not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index app_passwords_user on identity.app_passwords (user_id);
