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

-- Commands of earlier releases that may contain a secret keep their first word. From now on they lose it before they are stored
-- (src/domain/servers/command-secrets.ts); what is too much here is gone after 180 days anyway.
update control.activities
  set detail = jsonb_set(detail, '{text}', to_jsonb(
    case when detail ->> 'text' ~* '^\s*/*[[:alnum:]_.:-]{23,}' then '•••'
      else substring(detail ->> 'text' from '^\s*/*[[:alnum:]_.-]*') || ' •••' end))
  where type = 'server:console.command' and detail ->> 'text' ~* ('(^\s*/*([[:alnum:]_.-]+:)?(l|login|reg|register|unreg|unregister|authme|cp|2fa|totp|pin|recovery)\s'
    || '|pass|pwd|\mpw\M|secret|token|key|rcon|gslt|otp|steamaccount|eyj|[0-9a-f]{32}|(sk|pk|rk|ghp|gho|glpat|xox[abp])[-_][[:alnum:]_-]{10}|[[:alnum:]_-]{23}\.[[:alnum:]_-]{6})');

-- The activities of one server, newest first, and those of one person there.
create index activities_of_server on control.activities (server_id, created_at desc, id desc) where done_by <> 'staff';
create index activities_of_server_by_person on control.activities (server_id, user_id, created_at desc, id desc)
  where done_by = 'user';
