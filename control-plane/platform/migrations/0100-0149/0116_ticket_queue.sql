-- The queue of staff: those who wait, the longest first, and the other tickets, the last moved first.
create index tickets_queue_waiting on control.tickets (waiting_since, id) where waiting_since is not null;
create index tickets_queue_rest on control.tickets (moved_at desc, id desc) where waiting_since is null;
