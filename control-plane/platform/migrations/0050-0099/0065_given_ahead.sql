-- What staff gave back of time to come: a withdrawal and a smaller size give back the rest of that time alone.
alter table control.paid_spans add column ahead_ft bigint not null default 0
  constraint paid_spans_ahead check (ahead_ft between 0 and returned_ft);
