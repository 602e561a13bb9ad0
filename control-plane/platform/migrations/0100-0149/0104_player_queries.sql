-- Servers of earlier orders count their players too. Their generation stays, so that none waits for a restart because of it: the node
-- learns the query with the server's next command.
do $$
begin
  if exists (select 1 from information_schema.columns
    where table_schema = 'cms_api' and table_name = 'templates' and column_name = 'query_type') then
    update control.servers s set spec = s.spec || jsonb_build_object(
      'query', jsonb_build_object('type', t.query_type, 'port', t.query_port))
    from cms_api.templates t
    where t.id = s.template_id and t.query_type is not null;
  end if;
end $$;
