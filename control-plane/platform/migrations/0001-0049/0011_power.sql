-- Whether the node ended the program because its memory was full.
alter table control.server_state add column exit_oom boolean not null default false;

-- The session that the command was sent to. A session is a fact; the times of two control planes are not comparable.
alter table control.commands add column delivered_session uuid;
