-- The entries of a transaction are written by one statement, so they are added up once, when it ends, and not at the
-- commit once for each entry. The accounts that every posting shares are locked meanwhile.
create function control.ledger_check_written_entries() returns trigger language plpgsql set search_path = '' as $$
declare
  v_tx uuid;
begin
  -- One question for each transaction: joined with the written rows, of which the planner knows no number, it would read
  -- the whole table.
  for v_tx in select distinct w.tx_id from written w loop
    if (select count(*) < 2 or count(distinct e.currency) <> 1 or sum(e.amount_minor) <> 0
        from control.ledger_entries e where e.tx_id = v_tx) then
      raise exception 'entries of ledger transaction % do not add up to zero in one currency', v_tx using errcode = 'BK002';
    end if;
  end loop;
  return null;
end
$$;
drop trigger ledger_entry_balanced on control.ledger_entries;
create trigger ledger_entry_balanced after insert on control.ledger_entries
  referencing new table as written for each statement execute function control.ledger_check_written_entries();
