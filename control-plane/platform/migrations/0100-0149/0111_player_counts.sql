-- How many people play, as the games on the nodes say: the last count of each server, and the most of each hour. A program of the release
-- before tells and reads none.
create table control.player_counts (
  server_id uuid primary key references control.servers (id) on delete cascade,
  online integer not null check (online >= 0),
  most integer not null check (most >= 0),
  counted_at timestamptz not null
);
create table control.player_hours (
  server_id uuid not null references control.servers (id) on delete cascade,
  hour timestamptz not null,
  peak integer not null check (peak >= 0),
  primary key (server_id, hour)
);
create index player_hours_hour on control.player_hours (hour);
