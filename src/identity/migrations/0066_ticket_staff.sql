-- Who works on the tickets of which category: administrators on all, which null stands for, and support on those of their roles. A role that
-- does not count for a person gives nothing.
create view cms_api.ticket_staff as
  select distinct held.parent_id as user_id, case when role.is_admin then null else own.ticket_categories_id end as category_id
  from public.users_rels held
  join public.roles role on role.id = held.roles_id
  left join public.roles_rels own on own.parent_id = role.id and own.path = 'ticketCategories' and own.ticket_categories_id is not null
  where held.path = 'role'
    and identity.role_is_usable(role.active, role.two_factor_required, identity.has_factor(held.parent_id))
    and (role.is_admin or (role.is_support and own.ticket_categories_id is not null));
