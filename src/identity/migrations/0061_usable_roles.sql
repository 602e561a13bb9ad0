-- Whether a role counts for a person: `isUsable` of the domain, the one place where SQL says it. A test compares both.
create function identity.role_is_usable(active boolean, two_factor_required boolean, has_factor boolean)
returns boolean language sql immutable as $$
  select coalesce(active, false) and (not coalesce(two_factor_required, false) or coalesce(has_factor, false))
$$;

-- Whether a person has a role that counts only with a second factor.
create function identity.role_needs_factor(person uuid) returns boolean language sql stable as $$
  select exists (
    select 1 from public.users_rels rel join public.roles role on role.id = rel.roles_id
    where rel.parent_id = person and rel.path = 'role'
      and identity.role_is_usable(role.active, role.two_factor_required, true)
      and not identity.role_is_usable(role.active, role.two_factor_required, false))
$$;

create or replace function identity.end_roles_without_factor(person uuid) returns void language sql as $$
  select identity.end_access(array[person], 'second factor')
  where not identity.has_factor(person) and identity.role_needs_factor(person)
$$;
