-- What was done with an account: the site's part of the security log. The control plane has the rest in control.activities.
create table identity.activities (
  id uuid primary key,
  user_id uuid not null,
  type text not null check (type ~ '^[a-z.-]{3,64}$'),
  status text not null check (status in ('success', 'failure')),
  address text not null,
  created_at timestamptz not null
);
create index activities_of_user on identity.activities (user_id, id desc);
create index activities_by_time on identity.activities (created_at);
