-- Each entry carries a link: the digest of its account's link before it and of all that it says. Who goes around the triggers
-- and rewrites one entry, with every balance made to fit, breaks the chain from there on.
alter table control.ledger_entries add column link bytea check (length(link) = 32);

create function control.ledger_link(p_previous bytea, p_entry control.ledger_entries) returns bytea
language sql stable set search_path = '' as $$
  select sha256(coalesce(p_previous, '') || convert_to(jsonb_build_array(p_entry.account_id, p_entry.seq, p_entry.tx_id,
    p_entry.currency, p_entry.amount_minor, p_entry.balance_after, t.kind, t.idempotency_key, encode(t.payload_hash, 'hex'),
    t.reason, t.ref_type, t.ref_id, t.actor)::text, 'UTF8'))
  from control.ledger_transactions t where t.id = p_entry.tx_id
$$;

-- The account is locked: nobody else writes the entry before or after this one.
create function control.ledger_chain() returns trigger language plpgsql set search_path = '' as $$
begin
  new.link := control.ledger_link(
    (select e.link from control.ledger_entries e where e.account_id = new.account_id and e.seq = new.seq - 1), new);
  return new;
end
$$;

alter table control.ledger_entries disable trigger ledger_entry_immutable;
do $$
declare
  v_entry control.ledger_entries;
begin
  for v_entry in select * from control.ledger_entries order by account_id, seq loop
    update control.ledger_entries e
      set link = control.ledger_link((select b.link from control.ledger_entries b
        where b.account_id = v_entry.account_id and b.seq = v_entry.seq - 1), v_entry)
      where e.account_id = v_entry.account_id and e.seq = v_entry.seq;
  end loop;
end
$$;
set constraints all immediate;
alter table control.ledger_entries enable trigger ledger_entry_immutable;
alter table control.ledger_entries alter column link set not null;
create trigger ledger_entry_chain before insert on control.ledger_entries
  for each row execute function control.ledger_chain();

alter view control.ledger_violations rename to ledger_sum_violations;
create view control.ledger_violations as
  select rule, subject from control.ledger_sum_violations
  union all
  select 'entry does not continue its chain', c.account_id || ':' || c.seq from (
      select (e.entry).account_id, (e.entry).seq, (e.entry).link, control.ledger_link(e.previous, e.entry) as expected
      from (select x as entry, lag(x.link) over (partition by x.account_id order by x.seq) as previous
            from control.ledger_entries x) e) c
    where c.link is distinct from c.expected;

revoke all on function control.ledger_link(bytea, control.ledger_entries), control.ledger_chain() from public;
grant execute on function control.ledger_link(bytea, control.ledger_entries) to bakter_app;
revoke insert, update, delete, truncate on control.ledger_violations, control.ledger_sum_violations from bakter_app;
