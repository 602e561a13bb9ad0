-- Ranges of servers' logs that people share as links. The text is redacted before it gets here, and of the link only a hash is kept. A link
-- is answered while its maker may read the console, so nothing has to be ended with a share.
create table control.log_shares (
  id uuid primary key,
  token_hash bytea not null unique,
  server_id uuid not null references control.servers (id) on delete cascade,
  made_by uuid not null,
  text text not null,
  lines integer not null check (lines > 0),
  created_at timestamptz not null,
  ends_at timestamptz not null
);
create index log_shares_server on control.log_shares (server_id, ends_at);
create index log_shares_maker on control.log_shares (made_by);
create index log_shares_end on control.log_shares (ends_at);
