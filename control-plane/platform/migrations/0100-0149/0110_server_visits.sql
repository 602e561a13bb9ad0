-- When a person last had the panel of a server open, for the news of their absence.
create table control.server_visits (
  user_id uuid not null,
  server_id uuid not null references control.servers (id),
  seen_at timestamptz not null,
  primary key (user_id, server_id)
);
create index server_visits_of_server on control.server_visits (server_id);

-- Nobody comes back to a server that is gone, or that is no longer shared with them. The same for every way in which that happens, and for
-- programs of the release before, which know nothing of visits.
create function control.forget_visits() returns trigger language plpgsql as $$
begin
  delete from control.server_visits where server_id = old.id;
  return null;
end $$;
create trigger servers_forget_visits after update of deleted_at on control.servers
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function control.forget_visits();

create function control.forget_visits_of_share() returns trigger language plpgsql as $$
begin
  delete from control.server_visits where server_id = old.server_id and user_id = old.user_id;
  return null;
end $$;
create trigger server_users_forget_visits after delete on control.server_users
  for each row execute function control.forget_visits_of_share();
