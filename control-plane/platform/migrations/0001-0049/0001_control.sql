-- Everything that belongs to servers, nodes and delivery. Money is in 0002.
create table control.nodes (
  id uuid primary key,
  computer_id uuid not null unique,
  public_key text not null unique,
  name text not null,
  agent_version text not null default '',
  runtime text not null default 'process' check (runtime in ('docker', 'process', 'fake')),
  epoch bigint not null default 1,
  acknowledged_seq bigint not null default 0,
  memory_mib integer not null default 0,
  storage_mib integer not null default 0,
  cores integer not null default 0,
  clock_offset_ms bigint not null default 0,
  last_seen_at timestamptz,
  created_at timestamptz not null
);

-- A token's hash only; used_at makes it single-use by a conditional update.
create table control.enrolment_tokens (
  token_hash bytea primary key,
  computer_id uuid not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null
);

-- Which process of the control plane holds a node's session now. A lease: it ends by itself when its holder dies.
create table control.agent_sessions (
  node_id uuid primary key references control.nodes (id),
  session_id uuid not null,
  holder text not null,
  connected_at timestamptz not null,
  renewed_at timestamptz not null
);

-- Desired state.
create table control.servers (
  id uuid primary key,
  identifier text not null unique,
  owner_id uuid not null,
  node_id uuid not null references control.nodes (id),
  service_id uuid not null,
  package_id uuid,
  template_id uuid not null,
  name text not null,
  description text not null default '',
  generation integer not null default 1 check (generation >= 1),
  desired text not null check (desired in ('installed', 'deleted')),
  desired_power text not null default 'stopped' check (desired_power in ('running', 'stopped')),
  spec jsonb not null,
  service_name jsonb not null,
  cpu_percent integer not null,
  memory_mib integer not null,
  storage_mib integer not null,
  monthly_price_ft bigint not null,
  suspended boolean not null default false,
  suspended_reason text,
  highlighted boolean not null default false,
  expires_at timestamptz not null,
  deleted_at timestamptz,
  created_at timestamptz not null
);
create index servers_owner on control.servers (owner_id, created_at desc) where deleted_at is null;
create index servers_node on control.servers (node_id) where deleted_at is null;

-- Identifiers are never reused, also not those of deleted servers.
create table control.identifiers (identifier text primary key, taken_at timestamptz not null);

-- Observed state, written from agents' events only.
create table control.server_state (
  server_id uuid primary key references control.servers (id),
  state text not null,
  observed_generation integer not null default 0,
  exit_code integer,
  exit_signal text,
  installed boolean not null default false,
  since timestamptz not null,
  updated_at timestamptz not null
);

create table control.allocations (
  id uuid primary key,
  node_id uuid not null references control.nodes (id),
  server_id uuid references control.servers (id),
  ip inet not null,
  port integer not null check (port between 1 and 65535),
  is_primary boolean not null default false,
  unique (node_id, ip, port)
);
create index allocations_server on control.allocations (server_id);

create table control.server_users (
  server_id uuid not null references control.servers (id),
  user_id uuid not null,
  permissions text[] not null,
  created_at timestamptz not null,
  primary key (server_id, user_id)
);

-- Commands are rows; NOTIFY and Redis only nudge. Delivered by whichever process holds the node's session.
create table control.commands (
  id uuid primary key,
  node_id uuid not null references control.nodes (id),
  server_id uuid not null references control.servers (id),
  generation integer not null,
  kind text not null check (kind in ('install', 'reinstall', 'update', 'power', 'delete')),
  body jsonb not null,
  request_id text not null,
  requested_by uuid,
  state text not null default 'pending' check (state in ('pending', 'accepted', 'finished', 'failed', 'superseded')),
  result_code text,
  result_detail text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  finished_at timestamptz
);
create index commands_pending on control.commands (node_id, created_at) where state in ('pending', 'accepted');

-- Written in the business transaction; drained into the queue or the event bus. NOTIFY channel: bakter_outbox.
create table control.outbox (
  id uuid primary key,
  topic text not null,
  payload jsonb not null,
  request_id text not null default '',
  attempts integer not null default 0,
  available_at timestamptz not null,
  created_at timestamptz not null
);
create index outbox_available on control.outbox (available_at, created_at);

create table control.notifications (
  id uuid primary key,
  user_id uuid not null,
  text text not null,
  data jsonb not null,
  read_at timestamptz,
  created_at timestamptz not null
);
create index notifications_user on control.notifications (user_id, id desc);

create table control.activities (
  id uuid primary key,
  user_id uuid not null,
  server_id uuid,
  ip_address text not null default '',
  place text not null default '',
  type text not null,
  status text not null check (status in ('success', 'failure')),
  detail jsonb not null default '{}',
  created_at timestamptz not null
);
create index activities_user on control.activities (user_id, id desc);

create table control.idempotency_keys (
  scope text not null,
  key text not null,
  user_id uuid not null,
  request_hash bytea not null,
  status integer,
  answer jsonb,
  locked_until timestamptz not null,
  created_at timestamptz not null,
  primary key (scope, user_id, key)
);

-- Ed25519 keys that sign console tokens. Private keys are sealed with the deployment's secret before they are stored.
create table control.signing_keys (
  kid text primary key,
  public_key text not null,
  sealed_private_key bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);

-- One row: the fence against a restored database (SPEC.md A9).
create table control.epoch (only_row boolean primary key default true check (only_row), value bigint not null);
insert into control.epoch (value) values (1);
