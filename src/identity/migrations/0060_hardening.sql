-- With which passkey a session was opened: it ends with it. Null for sessions from before, which end with any passkey.
alter table identity.sessions add column passkey_id uuid;

-- Links of mails that tell of a new second factor: each sets a new password and takes away what was added since. Only the
-- SHA-256 of a token is stored. Good as long as the address is the one it was sent to.
create table identity.factor_undo_links (
  hash bytea primary key check (length(hash) = 32),
  user_id uuid not null,
  email text not null,
  -- What was added from this moment on goes.
  since timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index factor_undo_links_of_user on identity.factor_undo_links (user_id);
create index factor_undo_links_by_expiry on identity.factor_undo_links (expires_at);

-- Ends every session of a person who has no second factor left that an active role of theirs asks for: what the role allowed is
-- gone, and its sockets have to go too.
create function identity.end_roles_without_factor(person uuid) returns void language sql as $$
  select identity.end_access(array[person], 'second factor')
  where not identity.has_factor(person) and exists (
    select 1 from public.users_rels rel join public.roles role on role.id = rel.roles_id
    where rel.parent_id = person and rel.path = 'role' and role.active and role.two_factor_required)
$$;

-- The address that a person entered, as others see it: the stored one would tell that it is another account's.
create view cms_api.shown_addresses as
  select person.id, coalesce(claim.email, person.email) as email
  from public.users person left join identity.email_claims claim on claim.user_id = person.id;
