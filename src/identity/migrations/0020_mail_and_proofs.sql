-- Mails on their way to the control plane. `sealed` holds the whole mail, encrypted: codes and links stand in it.
create table identity.mail_outbox (
  id uuid primary key,
  sealed bytea not null,
  request_id text not null,
  attempts integer not null default 0,
  available_at timestamptz not null,
  created_at timestamptz not null
);
create index mail_outbox_available on identity.mail_outbox (available_at);

-- The code that proves an e-mail address: the newest counts. Only a keyed hash is stored, since six digits are soon guessed.
create table identity.email_codes (
  user_id uuid primary key,
  email text not null,
  code_mac bytea not null check (length(code_mac) = 32),
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Wishes for a new password, of addresses that have an account and of others alike. Looked at after the answer is given.
create table identity.reset_requests (
  id uuid primary key,
  email text not null,
  language text not null,
  request_id text not null,
  created_at timestamptz not null
);
create index reset_requests_by_time on identity.reset_requests (created_at);

-- Only the SHA-256 of a link's token is stored. The newest of a person counts.
create table identity.reset_tokens (
  user_id uuid primary key,
  hash bytea not null unique check (length(hash) = 32),
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create table identity.email_changes (
  id uuid primary key,
  user_id uuid not null,
  old_email text not null,
  new_email text not null,
  confirm_hash bytea not null unique check (length(confirm_hash) = 32),
  undo_hash bytea not null unique check (length(undo_hash) = 32),
  created_at timestamptz not null,
  confirm_until timestamptz not null,
  undo_until timestamptz not null,
  confirmed_at timestamptz,
  undone_at timestamptz
);
create index email_changes_of_user on identity.email_changes (user_id);
create index email_changes_by_time on identity.email_changes (undo_until);

-- Why a session ends is a closed list of the program, whose words this holds to their form.
alter table identity.sessions drop constraint if exists sessions_end_reason_check;
alter table identity.sessions add constraint sessions_end_reason_check check (end_reason ~ '^[a-z -]{3,40}$');
