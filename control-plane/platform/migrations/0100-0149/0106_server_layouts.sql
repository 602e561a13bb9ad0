-- How people arrange their lists of servers. One row for each person: every change is applied to what the row then contains, one after
-- another, so changes of two browsers at once are both kept.
create table control.server_layouts (
  user_id uuid primary key,
  layout jsonb not null,
  changed_at timestamptz not null
);
