-- How people arrange the panels of their summary. One row for each person who has moved or hidden one: every change is applied to what the
-- row then contains, one after another, so changes of two windows at once are both kept.
create table control.summary_layouts (
  user_id uuid primary key,
  layout jsonb not null,
  changed_at timestamptz not null
);
