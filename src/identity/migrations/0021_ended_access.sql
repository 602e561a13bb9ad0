-- When the control plane was told that a session had ended: it closes what is open by it.
alter table identity.sessions add column announced_at timestamptz;
update identity.sessions set announced_at = ended_at where ended_at is not null;
create index sessions_to_announce on identity.sessions (ended_at) where ended_at is not null and announced_at is null;

-- Whether staff suspended this person: no session of theirs opens or goes on.
create function identity.is_suspended(person uuid) returns boolean language sql stable as $$
  select exists (select 1 from public.users where users.id = person and users.suspended)
$$;

-- Ends every session of these people and wakes those who tell the control plane.
create function identity.end_access(people uuid[], reason text) returns void language sql as $$
  update identity.sessions set ended_at = now(), end_reason = reason where user_id = any(people) and ended_at is null;
  select pg_notify('bakter_site_sessions', '');
$$;

-- An address that somebody entered who is not known to own it, while it is another account's. Nothing is ever sent there.
create table identity.email_claims (
  user_id uuid primary key,
  email text not null,
  created_at timestamptz not null
);
create index email_claims_of_address on identity.email_claims (email, created_at);
