-- Accounts that are to be deleted, are being deleted or were. Whoever has no row here is active.
create table identity.account_deletions (
  user_id uuid primary key,
  state text not null check (state in ('leaving', 'erasing', 'erased')),
  asked_at timestamptz not null,
  erase_at timestamptz not null,
  -- SHA-256 of the token in the mail's link, as long as it undoes anything.
  undo_hash bytea unique check (length(undo_hash) = 32),
  -- What the person gave up: the balance up to this figure.
  waived_ft bigint not null check (waived_ft >= 0),
  erased_at timestamptz,
  constraint account_deletions_undo check ((state = 'leaving') = (undo_hash is not null)),
  constraint account_deletions_erased check ((state = 'erased') = (erased_at is not null))
);
create index account_deletions_due on identity.account_deletions (erase_at) where state <> 'erased';

-- Whether no session of this person opens or goes on: staff suspended them, or they left.
create or replace function identity.is_suspended(person uuid) returns boolean language sql stable as $$
  select exists (select 1 from public.users where users.id = person and users.suspended)
      or exists (select 1 from identity.account_deletions gone where gone.user_id = person)
$$;

-- What a challenge is for is a closed list of the program, whose words this holds to their form.
alter table identity.challenges drop constraint if exists challenges_purpose_check;
alter table identity.challenges add constraint challenges_purpose_check check (purpose ~ '^[a-z -]{3,40}$');

-- Sessions that are over go after a while, with their tokens.
create index if not exists sessions_by_end on identity.sessions (ended_at) where ended_at is not null;
