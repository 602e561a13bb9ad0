-- How long the last successful starts of a server took, oldest first, and what they belong to: its node, its template and its image. Starts
-- of another node or image say nothing about the next one. A program of the release before writes none.
alter table control.server_state
  add column start_times_ms integer[] not null default '{}',
  add column start_times_of text not null default '';
