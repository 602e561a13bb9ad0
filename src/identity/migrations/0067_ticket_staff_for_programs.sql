-- A view reads its tables with the rights of its owner, but the body of a function with those of whoever asks, and the control plane has none
-- in this schema. This function asks with the rights of its owner too.
create function identity.has_factor_by_owner(person uuid) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select identity.has_factor(person)
$$;

create or replace view cms_api.ticket_staff as
  select distinct held.parent_id as user_id, case when role.is_admin then null else own.ticket_categories_id end as category_id
  from public.users_rels held
  join public.roles role on role.id = held.roles_id
  left join public.roles_rels own on own.parent_id = role.id and own.path = 'ticketCategories' and own.ticket_categories_id is not null
  where held.path = 'role'
    and identity.role_is_usable(role.active, role.two_factor_required, identity.has_factor_by_owner(held.parent_id))
    and (role.is_admin or (role.is_support and own.ticket_categories_id is not null));
