-- What the landing page reads of the nodes: which runtimes can take new servers on this installation, whether or not a node is connected
-- at the moment. A change makes every site render the page again.
create view control_api.node_runtimes as
  select computer_id, runtime from control.nodes;

create function control.announce_node_runtime() returns trigger language plpgsql as $$
begin
  perform pg_notify('bakter_content', 'computers');
  return null;
end;
$$;

create trigger nodes_announced after insert or delete on control.nodes
  for each row execute function control.announce_node_runtime();
create trigger nodes_runtime_announced after update of runtime on control.nodes
  for each row when (old.runtime is distinct from new.runtime) execute function control.announce_node_runtime();
