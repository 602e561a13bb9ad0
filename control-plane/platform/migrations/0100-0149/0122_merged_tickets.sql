-- A ticket that was merged into another one is closed, and is deleted with it: its lines are read there (decision 95).
alter table control.tickets drop constraint tickets_merged_into_fkey;
alter table control.tickets
  add constraint tickets_merged_into_fkey foreign key (merged_into) references control.tickets (id) on delete cascade,
  add constraint tickets_merged_closed check (merged_into is null or (merged_into <> id and status = 'closed'));
