-- Mails that are to be sent, and for a while what became of them. `sealed` holds the content, in which codes and links stand:
-- encrypted, and gone as soon as the mail is sent or given up.
create table control.mails (
  id uuid primary key,
  kind text not null,
  language text not null check (language in ('en', 'hu', 'de')),
  recipient text not null,
  sealed bytea,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  tries integer not null default 0,
  next_try_at timestamptz not null,
  -- The process that sends it now has it until this moment.
  leased_until timestamptz,
  expires_at timestamptz not null,
  failure text,
  request_id text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint mails_content_until_finished check ((state = 'waiting') = (sealed is not null)),
  constraint mails_finished check ((state = 'waiting') = (finished_at is null))
);
create index mails_waiting on control.mails (next_try_at) where state = 'waiting';
create index mails_finished_at on control.mails (finished_at) where state <> 'waiting';
