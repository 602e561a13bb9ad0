-- A posting that is never refused, for whoever commits without waiting for its answer: what is refused all the same fails, so that the
-- commit behind it is none.
create function control.ledger_post_surely(p_meta jsonb, p_entries jsonb) returns uuid
language plpgsql set search_path = '' as $$
declare
  v_posted control.ledger_outcome := control.ledger_post(p_meta, p_entries);
begin
  if v_posted.status <> 'POSTED' then
    raise exception 'posting % was refused: %', p_meta ->> 'key', v_posted.status using errcode = 'BK007';
  end if;
  return v_posted.id;
end
$$;
revoke all on function control.ledger_post_surely(jsonb, jsonb) from public;
grant execute on function control.ledger_post_surely(jsonb, jsonb) to bakter_app;
