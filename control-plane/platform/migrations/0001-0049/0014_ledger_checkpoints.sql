-- How far each account was found in order, so that the audit of every five minutes reads only what came after (security
-- case 85). The daily one, over control.ledger_violations, trusts none of this.
create table control.ledger_checkpoints (
  -- No reference: its check would fail by every posting meanwhile to an account that all postings share.
  account_id uuid primary key,
  seq bigint not null check (seq > 0),
  link bytea not null check (length(link) = 32),
  balance_minor bigint not null,
  checked_at timestamptz not null
);

-- Broken rules of what was written since, and of what has to stay as it was: the entry at each checkpoint carries the link
-- of all before it, so a history that was rewritten with links that fit is seen here and nowhere else.
create view control.ledger_recent_violations as
  with known as materialized (
    select a.id, a.balance_minor, a.version, a.allow_negative, a.held_minor, coalesce(c.seq, 0) as seq, c.link,
      coalesce(c.balance_minor, 0) as balance
    from control.ledger_accounts a left join control.ledger_checkpoints c on c.account_id = a.id
  ), recent as materialized (
    select k.id, e.* from known k
      cross join lateral (
        select x.seq, x.tx_id, x.amount_minor, x.balance_after, x.link,
          control.ledger_link(coalesce(lag(x.link) over (order by x.seq), k.link), x) as expected_link,
          k.balance + sum(x.amount_minor) over (order by x.seq) as expected_balance,
          k.seq + row_number() over (order by x.seq) as expected_seq
        from control.ledger_entries x where x.account_id = k.id and x.seq > k.seq) e
  ), written as materialized (select distinct r.tx_id from recent r)
  select 'entry differs from its checkpoint' as rule, k.id || ':' || k.seq as subject from known k
    where k.seq > 0 and not exists (select from control.ledger_entries e
      where e.account_id = k.id and e.seq = k.seq and e.link = k.link and e.balance_after = k.balance)
  union all
  select 'entry does not continue its chain', r.id || ':' || r.seq from recent r where r.link is distinct from r.expected_link
  union all
  select 'running balance is wrong', r.id || ':' || r.seq from recent r
    where r.balance_after <> r.expected_balance or r.seq <> r.expected_seq
  union all
  select 'balance differs from its entries', k.id::text from known k
    left join (select r.id, sum(r.amount_minor) as total, count(*) as n from recent r group by r.id) s on s.id = k.id
    where k.balance_minor <> k.balance + coalesce(s.total, 0) or k.version <> k.seq + coalesce(s.n, 0)
  union all
  select 'transaction does not add up to zero', e.tx_id::text from written w join control.ledger_entries e on e.tx_id = w.tx_id
    group by e.tx_id having sum(e.amount_minor) <> 0 or count(distinct e.currency) <> 1
  union all
  select 'available balance below zero', k.id::text from known k where not k.allow_negative and k.balance_minor - k.held_minor < 0
  union all
  select 'held amount differs from open holds', k.id::text from known k
    left join (select h.account_id, sum(h.minor) as minor from (
        select o.bonus_account_id as account_id, o.bonus_minor as minor from control.ledger_holds o where o.state = 'open'
        union all
        select o.wallet_account_id, o.wallet_minor from control.ledger_holds o where o.state = 'open') h
      group by h.account_id) s on s.account_id = k.id
    where k.held_minor <> coalesce(s.minor, 0)
  union all
  select 'captured hold differs from its transaction', h.id::text from written w
    join control.ledger_holds h on h.captured_tx_id = w.tx_id
    where h.captured_minor <> (select -coalesce(sum(e.amount_minor), 0) from control.ledger_entries e
      where e.tx_id = h.captured_tx_id and e.account_id in (h.bonus_account_id, h.wallet_account_id));

revoke insert, update, delete, truncate on control.ledger_recent_violations from bakter_app;
