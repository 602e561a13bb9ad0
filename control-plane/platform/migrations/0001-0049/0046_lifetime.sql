-- What time does to servers: reminders, automatic renewal, expiry, deletion. Old programs know none of it and need not.

-- When the lifetime run looks at the server next; null is at once.
alter table control.servers add column lifetime_due_at timestamptz;
create index servers_lifetime_due on control.servers (lifetime_due_at, id) where desired = 'installed' and deleted_at is null;

-- Whoever moves the paid time of a server, of whatever release, makes the run look anew.
create function control.look_at_lifetime() returns trigger language plpgsql set search_path = '' as $$
begin
  new.lifetime_due_at := null;
  return new;
end
$$;
create trigger servers_lifetime before update of expires_at, auto_renew on control.servers for each row
  when (old.expires_at is distinct from new.expires_at or old.auto_renew is distinct from new.auto_renew)
  execute function control.look_at_lifetime();

-- What was said of the end of a paid time: each once for it.
create table control.lifetime_notices (
  server_id uuid not null references control.servers (id),
  kind text not null check (kind in ('remind-7', 'remind-3', 'remind-1', 'renewal-missing', 'expired')),
  -- The expiry that it is about.
  period timestamptz not null,
  created_at timestamptz not null,
  unique (server_id, kind, period)
);

-- One row: whether what bills by itself may go on. A clock that jumped stops it until somebody of the staff confirms the time.
create table control.billing_clock (
  only_row boolean primary key default true check (only_row),
  last_wall_at timestamptz,
  stopped jsonb,
  -- Raised by each confirmation, so that every process forgets what it measured from.
  confirmations integer not null default 0
);
insert into control.billing_clock default values;

-- A customer has one test server in their life.
create table control.test_servers (
  user_id uuid primary key,
  server_id uuid not null unique references control.servers (id),
  granted_by uuid not null,
  granted_at timestamptz not null,
  -- When its installation ended well; its day counts from then.
  settled_at timestamptz
);
