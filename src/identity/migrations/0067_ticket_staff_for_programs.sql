-- The body of a function is read with the rights of whoever asks, and the control plane has none in this schema: the second factor is looked
-- up by the view itself.
create or replace view cms_api.ticket_staff as
  select distinct held.parent_id as user_id, case when role.is_admin then null else own.ticket_categories_id end as category_id
  from public.users_rels held
  join public.roles role on role.id = held.roles_id
  left join public.roles_rels own on own.parent_id = role.id and own.path = 'ticketCategories' and own.ticket_categories_id is not null
  where held.path = 'role'
    and identity.role_is_usable(
      role.active,
      role.two_factor_required,
      exists (select 1 from identity.totp where totp.user_id = held.parent_id and totp.confirmed_at is not null)
        or exists (select 1 from identity.passkeys where passkeys.user_id = held.parent_id)
    )
    and (role.is_admin or (role.is_support and own.ticket_categories_id is not null));
