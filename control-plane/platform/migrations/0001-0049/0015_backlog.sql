-- The session whose node has not handed over yet what happened while it was away. Named, so that it holds for no later session.
alter table control.agent_sessions add column behind_session uuid;
