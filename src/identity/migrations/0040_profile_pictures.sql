-- One small square for each person. The id is a secret of its own: who does not know it cannot ask for the picture, and a new
-- picture has another one. It is kept here, so that every site process has it and a restored database is whole.
create table identity.profile_pictures (
  user_id uuid primary key,
  id text not null unique check (id ~ '^[A-Za-z0-9_-]{32}$'),
  bytes bytea not null check (octet_length(bytes) between 1 and 102400),
  created_at timestamptz not null
);
