import type { Sql } from '#platform/postgres/database.ts'
import { HOUSES, type House, type Model } from './money-model.ts'
import type { Run } from './money-run.ts'

/** Facts by their names, of the database and of the model, so that two of them are compared word by word. */
export type Facts = Record<string, string>

const SEEN = `
  select 'account ' || kind || ' ' || owner_id as what, balance_minor || ' held ' || held_minor as fact
    from control.ledger_accounts where owner_id = any($1)
  union all select 'server ' || s.id, case when o.state = 'provisioning' then 'ordering' when s.desired = 'deleted' then 'gone'
      else 'there until ' || (extract(epoch from s.expires_at) * 1000)::bigint || ' for ' || s.monthly_price_ft
        || case when s.auto_renew then ' auto' else '' end end
    from control.servers s join control.orders o on o.server_id = s.id where s.owner_id = any($1)
  union all select 'spins ' || user_id, rerolls || ' ' || granted || ' ' || bought || ' last '
      || coalesce((extract(epoch from last_free_spin_at) * 1000)::bigint::text, 'never')
    from control.spin_accounts where user_id = any($1)
  union all select 'premium ' || user_id, string_agg(tier || ' until ' || (extract(epoch from expires_at) * 1000)::bigint, ', '
      order by started_at) from control.premium_purchases where user_id = any($1) group by user_id
  union all select 'invoices ' || document_kind || ' ' || user_id, count(*) || ' of ' || sum(gross_ft)
    from control.invoices where user_id = any($1) and kind = 'invoice' group by document_kind, user_id
  union all select 'statement ' || user_id, sum(amount_ft)::text from control.wallet_transactions
    where user_id = any($1) and (status = 'finished' or (status = 'processing' and amount_ft < 0)) group by user_id
  union all select 'coupon ' || code, count(*)::text
    from control.coupon_reservations where user_id = any($1) and state <> 'released' group by code
  union all select 'claims ' || user_id, coalesce(sum(debt_ft - written_off_ft) filter (where state = 'taken'), 0) || ' of ' || count(*)
    from control.chargebacks where user_id = any($1) group by user_id
  union all select 'refund ' || payment_id || ' ' || replace(state, 'requested', 'pending'), sum(amount_ft)::text
    from control.refunds where user_id = any($1) group by 1`

const NONE = new Set(['0', '0 held 0', '0 0 0 last never'])

/** The facts of everybody in the run, by the database. */
export async function seen(run: Run, sql: Sql): Promise<Facts> {
  const rows = await sql.query<{ what: string; fact: string }>(SEEN, [run.model.people.map(({ id }) => id)])
  // An account that was never used is one with nothing on it.
  return Object.fromEntries(rows.filter(({ fact }) => !NONE.has(fact)).map(({ what, fact }) => [what, fact]))
}

function expectedOfPeople({ people, payments }: Model, put: (what: string, fact: string) => void): void {
  for (const person of people) {
    const { id, wallet, held, debt, memberships, rerolls, granted, bought, lastFree } = person
    put(`account user_wallet ${id}`, `${wallet.money} held ${held.money}`)
    put(`account user_bonus ${id}`, `${wallet.bonus} held ${held.bonus}`)
    put(`account user_debt ${id}`, `${-debt} held 0`)
    // The lines add up to what is available: money that is held or on its way out is no longer there.
    const available = wallet.money + wallet.bonus - held.money - held.bonus
    put(`statement ${id}`, `${available - person.unlisted}`)
    put(`spins ${id}`, `${rerolls} ${granted} ${bought} last ${lastFree ?? 'never'}`)
    if (memberships.length > 0) {
      put(`premium ${id}`, memberships.map(({ tier, until }) => `${tier} until ${until}`).join(', '))
    }
    for (const [kind, { count, gross }] of person.invoices) put(`invoices ${kind} ${id}`, `${count} of ${gross}`)
    const claims = payments.flatMap(({ owner, claim }) => (owner === person && claim ? [claim] : []))
    const open = claims.filter(({ won }) => !won).reduce((sum, { debt: due, writtenOff }) => sum + due - writtenOff, 0n)
    if (claims.length > 0) put(`claims ${id}`, `${open} of ${claims.length}`)
  }
}

/** The same facts, by the model. */
export function expected({ model, servers, coupons }: Run): Facts {
  const facts: Facts = {}
  const put = (what: string, fact: string) => {
    if (!NONE.has(fact)) facts[what] = fact
  }
  expectedOfPeople(model, put)
  for (const { id, phase, expiry, monthly, auto } of servers) {
    put(`server ${id}`, phase === 'there' ? `there until ${expiry} for ${monthly}${auto ? ' auto' : ''}` : phase)
  }
  for (const { code, uses } of coupons) if (uses.length > 0) put(`coupon ${code}`, `${uses.length}`)
  for (const { id, refunds } of model.payments) {
    for (const state of ['pending', 'succeeded', 'failed']) {
      const sum = refunds.reduce((all, made) => (made.state === state ? all + made.amount : all), 0n)
      if (sum > 0n) put(`refund ${id} ${state}`, `${sum}`)
    }
  }
  return facts
}

const KIND_OF: Record<(typeof HOUSES)[number], string> = {
  clearing: 'provider_clearing',
  promotion: 'promotion',
  loss: 'chargeback_loss',
  out: 'refunds_out',
  revenue: 'revenue',
  vat: 'vat_payable',
}

/** The accounts of the house; all runs share them, so a run is told by what it adds. */
export async function house(sql: Sql): Promise<House> {
  const rows = await sql.query<{ kind: string; balance: bigint }>(
    'select kind, sum(balance_minor)::bigint as balance from control.ledger_accounts group by kind',
  )
  const of = (kind: string) => rows.find((row) => row.kind === kind)?.balance ?? 0n
  return Object.fromEntries(HOUSES.map((each) => [each, of(KIND_OF[each])])) as House
}

export const houseAfter = (before: House, { house: added }: Model): House =>
  Object.fromEntries(HOUSES.map((each) => [each, before[each] + added[each]])) as House

/** Rows that break a rule, whatever the model says. Each names its rule. */
const BROKEN = `
  with entries as (select e.*, sum(amount_minor) over (partition by account_id order by seq) as running,
      row_number() over (partition by account_id order by seq) as nth
    from control.ledger_entries e join control.ledger_accounts a on a.id = e.account_id where a.owner_id = any($1)),
  touched as (select distinct tx_id from entries)
  select 'I1 ' || e.tx_id as broken from control.ledger_entries e join touched using (tx_id)
    group by e.tx_id, e.currency having sum(e.amount_minor) <> 0
  union all select 'I2 ' || account_id from entries where nth <> seq
  union all select 'I2 ' || a.id from control.ledger_accounts a where a.owner_id = any($1)
    and a.balance_minor <> coalesce((select sum(amount_minor) from entries e where e.account_id = a.id), 0)
  union all select 'I3 ' || id from control.ledger_accounts where owner_id = any($1) and kind in ('user_wallet', 'user_bonus')
    and (balance_minor - held_minor < 0 or held_minor < 0)
  union all select 'I7 ' || a.id from control.ledger_accounts a where a.owner_id = any($1) and a.held_minor <>
    coalesce((select sum(case when h.bonus_account_id = a.id then h.bonus_minor else h.wallet_minor end)
      from control.ledger_holds h where h.owner_id = a.owner_id and h.state = 'open' and a.id in (h.bonus_account_id, h.wallet_account_id)), 0)
  union all select 'I7 ' || h.id from control.ledger_holds h where h.owner_id = any($1) and (h.captured_tx_id is null)
    = exists (select from control.ledger_transactions t where t.id = h.captured_tx_id)
  union all select 'I8 ' || p.id from control.payments p where user_id = any($1) and p.credited_ft < (select coalesce(sum(amount_ft), 0)
    from control.refunds r where r.payment_id = p.id and r.state <> 'failed')
  union all select 'I11 ' || account_id || ' ' || seq from entries where running <> balance_after
  union all select 'I15 ' || t.id from control.ledger_transactions t join touched on tx_id = t.id
    where trim(reason) = '' or ref_id = ''
  union all select 'gap ' || series || year from control.invoices group by series, year
    having count(*) <> max(sequence) or min(sequence) <> 1`

export const broken = (run: Run, sql: Sql): Promise<{ broken: string }[]> =>
  sql.query(BROKEN, [run.model.people.map(({ id }) => id)])
