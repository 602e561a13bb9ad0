-- Locks accounts in one order for everybody: those of customers first, the wallet before all others, then those of the house by their
-- ids. Customers' are many and the house's are few, and whoever holds a customer's wallet is alone with all that is theirs.
create or replace function control.ledger_lock(p_ids uuid[]) returns void language plpgsql set search_path = '' as $$
begin
  -- Under a snapshot the rows behind the lock would be old ones.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the ledger is written under READ COMMITTED' using errcode = 'BK003';
  end if;
  perform 1 from control.ledger_accounts a where a.id = any (p_ids)
    order by array_position(array['user_wallet', 'user_bonus', 'user_debt'], a.kind) nulls last, a.id for update;
end
$$;

-- Whoever decides by what a customer has and owes holds it first: nothing of it moves until the transaction ends.
create function control.ledger_lock_customer(p_owner uuid, p_currency text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- Somebody who never had money has a wallet to wait at from now on.
  perform control.ledger_account_id('user_wallet', p_owner, '', p_currency);
  perform control.ledger_lock(array(select a.id from control.ledger_accounts a where a.owner_id = p_owner and a.currency = p_currency));
end
$$;
revoke all on function control.ledger_lock_customer(uuid, text) from public;
grant execute on function control.ledger_lock_customer(uuid, text) to bakter_app;
