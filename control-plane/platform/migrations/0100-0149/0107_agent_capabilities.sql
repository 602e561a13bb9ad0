-- What the agent of a node announced with its last hello. Agents of the previous release announce nothing.
alter table control.nodes add column capabilities text[] not null default '{}';
