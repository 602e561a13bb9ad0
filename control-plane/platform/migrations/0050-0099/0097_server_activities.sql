-- Who did it: the user of the row, the server by itself, our systems, or staff, whose own row stands beside that of the customer.
alter table control.activities add column done_by text not null default 'user'
  check (done_by in ('user', 'server', 'system', 'staff'));
update control.activities set done_by = 'server'
  where type in ('server:start-slow', 'server:storage-exceeded', 'server:start-failed', 'server:crashed', 'server:crash-loop');
update control.activities set done_by = 'system'
  where type in ('server.expired', 'server.expired-deleted', 'server.auto-renewed', 'server.package-changed', 'server.size-refused',
    'server.test-granted', 'order.completed', 'order.failed', 'premium.ended');
update control.activities set done_by = 'staff'
  where type = 'server.refunded' or (type = 'server:moved-by-force' and not detail ? 'from');

-- The activities of one server, newest first, and those of one person there.
create index activities_of_server on control.activities (server_id, created_at desc, id desc) where done_by <> 'staff';
create index activities_of_server_by_person on control.activities (server_id, user_id, created_at desc, id desc)
  where done_by = 'user';
