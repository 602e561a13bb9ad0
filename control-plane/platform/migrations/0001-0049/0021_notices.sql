-- When the ways beside the bell were taken; null while that waits. What was written before this has had all that it gets.
alter table control.notifications add column told_at timestamptz;
update control.notifications set told_at = created_at;
create index notifications_untold on control.notifications (created_at) where told_at is null;

-- What people said of the ways that a notification takes. Null, as a missing row, leaves it to the defaults.
create table control.notification_settings (
  user_id uuid not null,
  text text not null,
  mail boolean,
  push boolean,
  updated_at timestamptz not null,
  primary key (user_id, text)
);

-- The pair that push services know us by. Browsers subscribe with it, so there is one for ever.
create table control.push_keys (
  kid uuid primary key,
  public_key text not null,
  sealed_private_key bytea not null,
  created_at timestamptz not null
);
create unique index push_keys_one on control.push_keys ((true));

-- Browsers that want pushes. A session is one browser, and goes with its subscription.
create table control.push_subscriptions (
  id uuid primary key,
  user_id uuid not null,
  session_id uuid not null unique,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  -- A session that has not been seen for as long as a refresh token lives has ended.
  seen_at timestamptz not null
);
create index push_subscriptions_user on control.push_subscriptions (user_id, seen_at);

-- One notification on its way to one browser. Its text is written when it is sent.
create table control.push_messages (
  id uuid primary key,
  notification_id uuid not null references control.notifications (id) on delete cascade,
  subscription_id uuid not null references control.push_subscriptions (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  tries integer not null default 0,
  next_try_at timestamptz not null,
  leased_until timestamptz,
  expires_at timestamptz not null,
  failure text,
  request_id text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (notification_id, subscription_id),
  constraint push_messages_finished check ((state = 'waiting') = (finished_at is null))
);
create index push_messages_waiting on control.push_messages (next_try_at) where state = 'waiting';
create index push_messages_finished_at on control.push_messages (finished_at) where state <> 'waiting';
create index push_messages_subscription on control.push_messages (subscription_id);
