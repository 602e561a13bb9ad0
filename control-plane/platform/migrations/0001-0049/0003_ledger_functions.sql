-- The writers of the ledger. They run as their owner; the application role may call them and may not write the tables.
-- Each checks everything first, in this order: replay, asserts, refusal. After that it writes and must succeed.
create type control.ledger_outcome as (status text, id uuid, replayed boolean, missing_minor bigint);

create function control.ledger_account_id(p_kind text, p_owner uuid, p_provider text, p_currency text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_id uuid;
begin
  loop
    select a.id into v_id from control.ledger_accounts a
      where a.owner_id = p_owner and a.kind = p_kind and a.provider = p_provider and a.currency = p_currency;
    if found then return v_id; end if;
    insert into control.ledger_accounts (kind, owner_id, provider, currency)
      values (p_kind, p_owner, p_provider, p_currency) on conflict do nothing returning id into v_id;
    if found then return v_id; end if;
  end loop;
end
$$;

-- Locks accounts in the order of their ids, so that two transactions never wait for one another.
create function control.ledger_lock(p_ids uuid[]) returns void language plpgsql set search_path = '' as $$
begin
  -- Under a snapshot the rows behind the lock would be old ones.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the ledger is written under READ COMMITTED' using errcode = 'BK003';
  end if;
  perform 1 from control.ledger_accounts a where a.id = any (p_ids) order by a.id for update;
end
$$;

-- Answers null where the key is new, REPLAYED with the stored id, or IDEMPOTENCY_MISMATCH for another payload.
create function control.ledger_find_tx(p_key text, p_hash bytea) returns control.ledger_outcome
language sql stable set search_path = '' as $$
  select row(case when t.payload_hash = p_hash then 'POSTED' else 'IDEMPOTENCY_MISMATCH' end,
             case when t.payload_hash = p_hash then t.id end, true, 0)::control.ledger_outcome
  from control.ledger_transactions t where t.idempotency_key = p_key
$$;

create function control.ledger_find_hold(p_key text, p_hash bytea) returns control.ledger_outcome
language sql stable set search_path = '' as $$
  select row(case when h.payload_hash = p_hash then 'HELD' else 'IDEMPOTENCY_MISMATCH' end,
             case when h.payload_hash = p_hash then h.id end, true, 0)::control.ledger_outcome
  from control.ledger_holds h where h.idempotency_key = p_key
$$;

-- Writes one transaction on locked accounts. The caller has made sure that no balance goes below zero; the CHECK
-- constraint is the second guard.
create function control.ledger_write(p_meta jsonb, p_ids uuid[], p_amounts bigint[]) returns control.ledger_outcome
language plpgsql set search_path = '' as $$
declare
  v_found control.ledger_outcome;
  v_count integer;
  v_id uuid := (p_meta ->> 'id')::uuid;
begin
  insert into control.ledger_transactions (id, kind, idempotency_key, payload_hash, currency, reason, ref_type, ref_id, actor,
      request_id, reverses_tx_id, created_at)
    values (v_id, p_meta ->> 'kind', p_meta ->> 'key', decode(p_meta ->> 'hash', 'hex'), p_meta ->> 'currency',
      p_meta ->> 'reason', p_meta ->> 'refType', p_meta ->> 'refId', p_meta ->> 'actor', p_meta ->> 'requestId',
      (p_meta ->> 'reverses')::uuid, (p_meta ->> 'at')::timestamptz)
    on conflict (idempotency_key) do nothing;
  if not found then
    v_found := control.ledger_find_tx(p_meta ->> 'key', decode(p_meta ->> 'hash', 'hex'));
    if v_found.status = 'POSTED' then
      -- The same key and payload on other accounts cannot be: the payload names its accounts.
      raise exception 'ledger transaction % appeared under a lock', p_meta ->> 'key' using errcode = '40001';
    end if;
    return v_found;
  end if;
  with moved as (
    update control.ledger_accounts a
      set balance_minor = a.balance_minor + e.amount, version = a.version + 1
      from unnest(p_ids, p_amounts) as e (id, amount)
      where a.id = e.id and (a.allow_negative or a.balance_minor + e.amount - a.held_minor >= 0)
      returning a.id, a.version, e.amount, a.balance_minor)
  insert into control.ledger_entries (account_id, seq, tx_id, currency, amount_minor, balance_after)
    select m.id, m.version, v_id, p_meta ->> 'currency', m.amount, m.balance_minor from moved m;
  get diagnostics v_count = row_count;
  if v_count <> cardinality(p_ids) then
    raise exception 'ledger transaction % would overdraw an account', p_meta ->> 'key' using errcode = 'BK004';
  end if;
  return row('POSTED', v_id, false, 0)::control.ledger_outcome;
end
$$;

-- Posts a transaction: entries are [{kind, owner, provider, amount}], amounts as decimal text.
-- POSTED, INSUFFICIENT_BALANCE with what is missing, or IDEMPOTENCY_MISMATCH.
create function control.ledger_post(p_meta jsonb, p_entries jsonb) returns control.ledger_outcome
language plpgsql security definer set search_path = '' as $$
declare
  v_found control.ledger_outcome;
  v_hash bytea := decode(p_meta ->> 'hash', 'hex');
  v_ids uuid[];
  v_amounts bigint[];
  v_missing bigint;
begin
  v_found := control.ledger_find_tx(p_meta ->> 'key', v_hash);
  if v_found.status is not null then return v_found; end if;
  select array_agg(s.id order by s.id), array_agg(s.amount order by s.id) into v_ids, v_amounts
    from (select control.ledger_account_id(e.kind, e.owner, e.provider, p_meta ->> 'currency') as id, e.amount
          from jsonb_to_recordset(p_entries) as e (kind text, owner uuid, provider text, amount bigint)) s;
  perform control.ledger_lock(v_ids);
  -- Somebody may have posted it while this call waited for the lock.
  v_found := control.ledger_find_tx(p_meta ->> 'key', v_hash);
  if v_found.status is not null then return v_found; end if;
  select max(-(a.balance_minor - a.held_minor + e.amount)) into v_missing
    from control.ledger_accounts a join unnest(v_ids, v_amounts) as e (id, amount) on a.id = e.id
    where not a.allow_negative and e.amount < 0;
  if v_missing > 0 then return row('INSUFFICIENT_BALANCE', null, false, v_missing)::control.ledger_outcome; end if;
  return control.ledger_write(p_meta, v_ids, v_amounts);
end
$$;

-- Sets an amount of a user's wallets aside, bonus first. HELD, INSUFFICIENT_BALANCE or IDEMPOTENCY_MISMATCH.
create function control.ledger_place_hold(p_hold jsonb) returns control.ledger_outcome
language plpgsql security definer set search_path = '' as $$
declare
  v_found control.ledger_outcome;
  v_hash bytea := decode(p_hold ->> 'hash', 'hex');
  v_amount bigint := (p_hold ->> 'amount')::bigint;
  v_owner uuid := (p_hold ->> 'owner')::uuid;
  v_bonus uuid;
  v_wallet uuid;
  v_from_bonus bigint;
  v_missing bigint;
begin
  v_found := control.ledger_find_hold(p_hold ->> 'key', v_hash);
  if v_found.status is not null then return v_found; end if;
  v_bonus := control.ledger_account_id('user_bonus', v_owner, '', p_hold ->> 'currency');
  v_wallet := control.ledger_account_id('user_wallet', v_owner, '', p_hold ->> 'currency');
  perform control.ledger_lock(array[v_bonus, v_wallet]);
  v_found := control.ledger_find_hold(p_hold ->> 'key', v_hash);
  if v_found.status is not null then return v_found; end if;
  select least(v_amount, b.balance_minor - b.held_minor) into v_from_bonus from control.ledger_accounts b where b.id = v_bonus;
  select v_amount - v_from_bonus - (w.balance_minor - w.held_minor) into v_missing
    from control.ledger_accounts w where w.id = v_wallet;
  if v_missing > 0 then return row('INSUFFICIENT_BALANCE', null, false, v_missing)::control.ledger_outcome; end if;
  insert into control.ledger_holds (id, idempotency_key, payload_hash, owner_id, currency, amount_minor, bonus_account_id,
      bonus_minor, wallet_account_id, wallet_minor, reason, ref_type, ref_id, actor, request_id, created_at, expires_at)
    values ((p_hold ->> 'id')::uuid, p_hold ->> 'key', v_hash, v_owner, p_hold ->> 'currency', v_amount, v_bonus,
      v_from_bonus, v_wallet, v_amount - v_from_bonus, p_hold ->> 'reason', p_hold ->> 'refType', p_hold ->> 'refId',
      p_hold ->> 'actor', p_hold ->> 'requestId', (p_hold ->> 'at')::timestamptz, (p_hold ->> 'expiresAt')::timestamptz)
    on conflict (idempotency_key) do nothing;
  if not found then return control.ledger_find_hold(p_hold ->> 'key', v_hash); end if;
  update control.ledger_accounts a
    set held_minor = a.held_minor + case a.id when v_bonus then v_from_bonus else v_amount - v_from_bonus end
    where a.id in (v_bonus, v_wallet);
  return row('HELD', (p_hold ->> 'id')::uuid, false, 0)::control.ledger_outcome;
end
$$;

create function control.ledger_free_held(p_hold control.ledger_holds) returns void
language sql set search_path = '' as $$
  update control.ledger_accounts a
    set held_minor = a.held_minor - case a.id when p_hold.bonus_account_id then p_hold.bonus_minor else p_hold.wallet_minor end
    where a.id in (p_hold.bonus_account_id, p_hold.wallet_account_id)
$$;

-- Takes an amount of a hold, bonus first, and frees the rest. `p_credits` says where the money goes.
-- POSTED, IDEMPOTENCY_MISMATCH, or HOLD_CAPTURED, HOLD_RELEASED, HOLD_EXPIRED for a hold that is already resolved.
create function control.ledger_capture(p_hold uuid, p_amount bigint, p_meta jsonb, p_credits jsonb)
returns control.ledger_outcome language plpgsql security definer set search_path = '' as $$
declare
  v_found control.ledger_outcome;
  v_hash bytea := decode(p_meta ->> 'hash', 'hex');
  v_hold control.ledger_holds;
  v_ids uuid[];
  v_amounts bigint[];
begin
  select * into v_hold from control.ledger_holds h where h.id = p_hold for update;
  if not found then raise exception 'hold % does not exist', p_hold using errcode = 'BK005'; end if;
  v_found := control.ledger_find_tx(p_meta ->> 'key', v_hash);
  if v_found.status is not null then return v_found; end if;
  if v_hold.state <> 'open' then
    return row('HOLD_' || upper(v_hold.state), v_hold.captured_tx_id, false, 0)::control.ledger_outcome;
  end if;
  if p_amount not between 1 and v_hold.amount_minor or p_meta ->> 'currency' <> v_hold.currency then
    raise exception 'cannot capture % of hold %', p_amount, p_hold using errcode = 'BK005';
  end if;
  select array_agg(s.id order by s.id), array_agg(s.amount order by s.id) into v_ids, v_amounts
    from (select control.ledger_account_id(e.kind, e.owner, e.provider, v_hold.currency) as id, e.amount
            from jsonb_to_recordset(p_credits) as e (kind text, owner uuid, provider text, amount bigint)
          union all select v_hold.bonus_account_id, -least(v_hold.bonus_minor, p_amount)
          union all select v_hold.wallet_account_id, -(p_amount - least(v_hold.bonus_minor, p_amount))) s
    where s.amount <> 0;
  perform control.ledger_lock(v_ids || v_hold.bonus_account_id || v_hold.wallet_account_id);
  perform control.ledger_free_held(v_hold);
  v_found := control.ledger_write(p_meta, v_ids, v_amounts);
  if v_found.status <> 'POSTED' then
    raise exception 'key % belongs to another posting', p_meta ->> 'key' using errcode = 'BK006';
  end if;
  update control.ledger_holds h
    set state = 'captured', captured_minor = p_amount, captured_tx_id = v_found.id, resolved_at = (p_meta ->> 'at')::timestamptz
    where h.id = p_hold and h.state = 'open';
  return v_found;
end
$$;

-- Gives the whole hold back, as 'released' or, after its time, 'expired'.
-- FREED (replayed when it already was in that state), HOLD_CAPTURED, HOLD_RELEASED, HOLD_EXPIRED or HOLD_NOT_DUE.
create function control.ledger_release(p_hold uuid, p_state text, p_at timestamptz) returns control.ledger_outcome
language plpgsql security definer set search_path = '' as $$
declare
  v_hold control.ledger_holds;
begin
  select * into v_hold from control.ledger_holds h where h.id = p_hold for update;
  if not found or p_state not in ('released', 'expired') then
    raise exception 'hold % cannot become %', p_hold, p_state using errcode = 'BK005';
  end if;
  if v_hold.state = p_state then return row('FREED', p_hold, true, 0)::control.ledger_outcome; end if;
  if v_hold.state <> 'open' then
    return row('HOLD_' || upper(v_hold.state), v_hold.captured_tx_id, false, 0)::control.ledger_outcome;
  end if;
  if p_state = 'expired' and v_hold.expires_at > p_at then
    return row('HOLD_NOT_DUE', null, false, 0)::control.ledger_outcome;
  end if;
  perform control.ledger_lock(array[v_hold.bonus_account_id, v_hold.wallet_account_id]);
  perform control.ledger_free_held(v_hold);
  update control.ledger_holds h set state = p_state, resolved_at = p_at where h.id = p_hold and h.state = 'open';
  return row('FREED', p_hold, false, 0)::control.ledger_outcome;
end
$$;

-- Every broken rule of the whole ledger, one row each; no row means that all is well. Tests call it after each step,
-- operators at night.
create view control.ledger_violations as
  select 'transaction does not add up to zero' as rule, e.tx_id::text as subject
    from control.ledger_entries e group by e.tx_id having sum(e.amount_minor) <> 0 or count(distinct e.currency) <> 1
  union all
  select 'transaction without entries', t.id::text from control.ledger_transactions t
    where not exists (select from control.ledger_entries e where e.tx_id = t.id)
  union all
  select 'balance differs from its entries', a.id::text from control.ledger_accounts a
    left join lateral (select coalesce(sum(e.amount_minor), 0) as total, count(*) as n, coalesce(max(e.seq), 0) as newest
                       from control.ledger_entries e where e.account_id = a.id) s on true
    where a.balance_minor <> s.total or a.version <> s.n or a.version <> s.newest
  union all
  select 'running balance is wrong', e.account_id || ':' || e.seq from (
      select x.account_id, x.seq, x.balance_after, sum(x.amount_minor) over (partition by x.account_id order by x.seq) as running,
        row_number() over (partition by x.account_id order by x.seq) as place
      from control.ledger_entries x) e
    where e.balance_after <> e.running or e.seq <> e.place
  union all
  select 'available balance below zero', a.id::text from control.ledger_accounts a
    where not a.allow_negative and a.balance_minor - a.held_minor < 0
  union all
  select 'held amount differs from open holds', a.id::text from control.ledger_accounts a
    where a.held_minor <> coalesce((select sum(case a.id when h.bonus_account_id then h.bonus_minor else h.wallet_minor end)
      from control.ledger_holds h where h.state = 'open' and a.id in (h.bonus_account_id, h.wallet_account_id)), 0)
  union all
  select 'captured hold differs from its transaction', h.id::text from control.ledger_holds h
    where h.state = 'captured' and h.captured_minor <> (select -coalesce(sum(e.amount_minor), 0) from control.ledger_entries e
      where e.tx_id = h.captured_tx_id and e.account_id in (h.bonus_account_id, h.wallet_account_id));

revoke all on all functions in schema control from public;
grant usage on schema control to bakter_app;
grant select on control.ledger_accounts, control.ledger_transactions, control.ledger_entries, control.ledger_holds,
  control.ledger_violations to bakter_app;
grant execute on function control.ledger_post(jsonb, jsonb), control.ledger_place_hold(jsonb),
  control.ledger_capture(uuid, bigint, jsonb, jsonb), control.ledger_release(uuid, text, timestamptz) to bakter_app;

-- What is not money the application role reads and writes freely; later tables of this schema too.
grant select, insert, update, delete on all tables in schema control to bakter_app;
revoke insert, update, delete, truncate on control.ledger_accounts, control.ledger_transactions, control.ledger_entries,
  control.ledger_holds, control.ledger_violations from bakter_app;
alter default privileges in schema control grant select, insert, update, delete on tables to bakter_app;
