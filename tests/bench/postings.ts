import { forints } from '#domain/billing/money.ts'
import { openLedger } from '../../control-plane/money/ledger/ledger.ts'
import { bonusGranted, corrected, topUpSettled } from '../../control-plane/money/ledger/postings.ts'
import { postgresLedgerStore } from '../../control-plane/money/ledger/postgres-ledger-store.ts'
import type { Transfer } from '../../control-plane/money/ledger/transfer.ts'
import { systemClock } from '#platform/clock.ts'
import { systemIds } from '#platform/ids.ts'
import { controlDatabase } from '../factories/control-database.ts'
import { pgbenchRate } from './pgbench.ts'
import { median, type Section } from './report.ts'

const WRITERS = 16
const SECONDS = 4
const ROUNDS = 3
const WALLETS = 1_000
const AMOUNT_FT = 500n

async function perSecond(work: () => Promise<void>): Promise<number> {
  const [beganAt, endAt] = [performance.now(), performance.now() + SECONDS * 1_000]
  let done = 0
  const write = async () => {
    for (; performance.now() < endAt; done += 1) await work()
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  return (done * 1_000) / (performance.now() - beganAt)
}

/** The postings that the house books most, in turns: money in by two providers, a bonus, a correction. */
function mixed(userId: string, turn: number): Transfer {
  const id = systemIds.next()
  const origin = { id, atMs: systemClock.now(), actor: 'bench', requestId: 'bench' }
  const amount = forints(AMOUNT_FT)
  const given = { id, userId, amount, reason: 'Bench' }
  if (turn % 3 === 1) return bonusGranted(origin, given)
  if (turn % 3 === 2) return corrected(origin, given)
  const provider = turn % 2 === 0 ? 'sandbox' : 'stripe'
  return topUpSettled(origin, { id, provider, providerPaymentId: id, userId, amount })
}

const hot = (userId: string): Transfer => mixed(userId, 2)

/** The ledger's function, called with the same arguments that the program makes, by pgbench. `pick` is the wallet's number. */
const statement = (pick: string, kinds: string): string =>
  `
\\set pick ${pick}
\\set turn random(0, 11)
with shape as (select gen_random_uuid()::text as id, u.id as owner, k.* from bench_users u, (values ${kinds}) k (at, kind, house, part, provider)
  where u.at = :pick and k.at = (:turn % (select count(*) from (values ${kinds}) c))::int)
select p.status from shape s, lateral control.ledger_post(
  jsonb_build_object('id', s.id, 'kind', s.kind, 'key', s.kind || ':' || s.id, 'hash', encode(sha256(s.id::bytea), 'hex'), 'currency', 'HUF',
    'at', now(), 'reason', 'Bench', 'refType', 'grant', 'refId', s.id, 'actor', 'bench', 'requestId', 'bench'),
  jsonb_build_array(jsonb_build_object('kind', s.house, 'owner', '00000000-0000-0000-0000-000000000000', 'provider', s.provider, 'amount', '-${AMOUNT_FT}'),
    jsonb_build_object('kind', s.part, 'owner', s.owner, 'provider', '', 'amount', '${AMOUNT_FT}'))) p;
`.replaceAll(/\n(?!\\|with|$)/g, ' ')

const MIXED = [
  `(0, 'top-up', 'provider_clearing', 'user_wallet', 'sandbox')`,
  `(1, 'bonus', 'promotion', 'user_bonus', '')`,
  `(2, 'correction', 'manual_adjustment', 'user_wallet', '')`,
  `(3, 'top-up', 'provider_clearing', 'user_wallet', 'stripe')`,
  `(4, 'bonus', 'promotion', 'user_bonus', '')`,
  `(5, 'correction', 'manual_adjustment', 'user_wallet', '')`,
].join(', ')
const HOT = `(0, 'correction', 'manual_adjustment', 'user_wallet', '')`

/** Postings a second by the program, beside the same function called by pgbench, in turns on one PostgreSQL. */
export async function benchPostings(): Promise<Section> {
  const database = await controlDatabase({ maxConnections: WRITERS })
  try {
    const ledger = openLedger(postgresLedgerStore(database.db))
    const users = Array.from({ length: WALLETS }, () => systemIds.next())
    const post = async (transfer: Transfer) => {
      const result = await ledger.post(transfer)
      if (!result.ok) throw new Error(`posting refused: ${result.code}`)
    }
    await database.owner.query('create table public.bench_users (at int primary key, id uuid)')
    await database.owner.query(
      'insert into public.bench_users select at, id from unnest($1::uuid[]) with ordinality as u (id, at)',
      [users],
    )
    await database.owner.query('grant select on public.bench_users to public')
    for (const [at, user] of users.entries()) for (const turn of [0, 1]) await post(mixed(user, at * 3 + turn))
    let turn = 0
    const anyone = () => users[Math.floor(Math.random() * WALLETS)] as string
    const own: Record<'mixed' | 'hot', () => Promise<void>> = {
      mixed: () => post(mixed(anyone(), (turn += 1))),
      hot: () => post(hot(users[0] as string)),
    }
    const peers = { mixed: statement(`random(1, ${WALLETS})`, MIXED), hot: statement('1', HOT) }
    const rates = { mixed: [] as number[], hot: [] as number[] }
    const peerRates = { mixed: [] as number[], hot: [] as number[] }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of ['mixed', 'hot'] as const) {
        rates[name].push(await perSecond(own[name]))
        const { url } = database
        peerRates[name].push(await pgbenchRate({ url, statement: peers[name], clients: WRITERS, seconds: SECONDS }))
      }
    }
    const [violations] = await database.owner.query<{ n: number }>(
      'select count(*)::int as n from control.ledger_violations',
    )
    if (violations?.n !== 0) throw new Error('The ledger is broken after the bench.')
    const figure = (name: 'mixed' | 'hot', what: string) => ({
      what,
      value: median(rates[name]),
      unit: '/s',
      against: { what: 'the same function called by pgbench', value: median(peerRates[name]) },
    })
    return {
      title: 'Postings beside pgbench',
      method:
        `${WRITERS} connections each, ${SECONDS} s, median of ${ROUNDS} rounds in turns. Mixed: top-ups by two providers, bonuses and corrections ` +
        `over ${WALLETS} wallets. Hot: corrections of one wallet. Every posting locks an account of the house. fsync is off for both.`,
      figures: [figure('mixed', 'postings, mixed'), figure('hot', 'postings, one hot account')],
    }
  } finally {
    await database.close()
  }
}
