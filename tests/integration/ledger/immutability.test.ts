import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLedger } from '../../../control-plane/money/ledger/audit-ledger.ts'
import { openLedger } from '../../../control-plane/money/ledger/ledger.ts'
import { postgresLedgerStore } from '../../../control-plane/money/ledger/postgres-ledger-store.ts'
import type { Logger } from '#platform/logger.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { systemIds } from '#platform/ids.ts'
import { controlDatabase, type ControlDatabase } from '../../factories/control-database.ts'
import { moves } from '../../factories/ledger-moves.ts'
import { balanceOf } from '../../factories/shop.ts'

let database: ControlDatabase
const user = systemIds.next()
beforeAll(async () => {
  database = await controlDatabase()
  const ledger = openLedger(postgresLedgerStore(database.db))
  await ledger.post(moves.payIn(user, 5000n))
  await ledger.placeHold(moves.hold(user, 990n))
})
afterAll(() => database.close())

const TABLES = ['ledger_accounts', 'ledger_transactions', 'ledger_entries', 'ledger_holds']

describe('I10: the application role', () => {
  it('the control plane connects as the application role, which is not a superuser', async () => {
    const [row] = await database.db.query(
      'select current_user::text as name, (select rolsuper from pg_roles where rolname = current_user) as super',
    )
    expect(row).toEqual({ name: 'bakter_app', super: false })
  })

  it.each(
    TABLES.flatMap((table) => [
      `delete from control.${table}`,
      `truncate control.${table} cascade`,
      `insert into control.${table} default values`,
    ]),
  )('may not %s', async (statement) => {
    await expect(database.db.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  it.each([
    'update control.ledger_accounts set balance_minor = 1000000',
    'update control.ledger_accounts set held_minor = 0',
    `update control.ledger_transactions set reason = 'x'`,
    'update control.ledger_entries set amount_minor = 1',
    `update control.ledger_holds set state = 'released'`,
  ])('the application role may not %s', async (statement) => {
    await expect(database.db.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  it.each([
    `select control.ledger_write('{}', '{}', '{}')`,
    `select control.ledger_account_id('user_wallet', gen_random_uuid(), '', 'HUF')`,
    `select control.ledger_lock('{}')`,
  ])('the application role may not call %s', async (statement) => {
    await expect(database.db.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  it('the application role may not disable a trigger or become the owner', async () => {
    await expect(database.db.query('alter table control.ledger_entries disable trigger all')).rejects.toMatchObject({
      code: '42501',
    })
    await expect(database.db.query('set session_replication_role = replica')).rejects.toMatchObject({ code: '42501' })
  })
})

describe('a manual edit (case 85)', () => {
  /** Goes around every trigger, as whoever holds the database can, and undoes it all in the end. */
  async function brokenRulesAfter(edit: string): Promise<string[]> {
    let rules: string[] = []
    const undo = new Error('undo')
    await expect(
      database.owner.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(edit)
        rules = (await tx.query<{ rule: string }>('select distinct rule from control.ledger_violations')).map(
          ({ rule }) => rule,
        )
        throw undo
      }),
    ).rejects.toBe(undo)
    return rules
  }
  const CHAIN = 'entry does not continue its chain'

  it.each([
    [
      'of an amount, with every sum and balance made to fit',
      `with shares as (select account_id, seq, sign(amount_minor) as way from control.ledger_entries
         where tx_id = (select tx_id from control.ledger_entries order by tx_id limit 1)),
       entries as (update control.ledger_entries e set amount_minor = e.amount_minor + 7 * s.way,
         balance_after = e.balance_after + 7 * s.way from shares s where e.account_id = s.account_id and e.seq >= s.seq)
       update control.ledger_accounts a set balance_minor = a.balance_minor + 7 * s.way from shares s where a.id = s.account_id`,
    ],
    ['of what a movement was for', `update control.ledger_transactions set reason = 'Something else'`],
    ['of the document of a movement', `update control.ledger_transactions set ref_id = gen_random_uuid()::text`],
    ['of who moved it', `update control.ledger_transactions set actor = 'somebody else'`],
    ['of a link itself', `update control.ledger_entries set link = sha256('x') where seq = 1`],
  ])('the audit finds %s', async (_name, edit) => {
    expect(await brokenRulesAfter(edit)).toEqual([CHAIN])
    expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  })

  it('the audit alarms about a manual edit with a log line and a metric for each rule', async () => {
    const lines: object[] = []
    const log: Logger = { info() {}, warn() {}, debug() {}, error: (line) => void lines.push(line), child: () => log }
    const metrics = createMetrics()
    expect(await auditLedger({ db: database.db, log }, metrics)).toBe(0)
    const set = (reason: string) =>
      database.owner.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(`update control.ledger_transactions set reason = $1 where kind = 'top-up'`, [reason])
      })
    const [{ reason } = { reason: '' }] = await database.owner.query<{ reason: string }>(
      `select reason from control.ledger_transactions where kind = 'top-up'`,
    )
    await set('Edited')
    expect(await auditLedger({ db: database.db, log }, metrics)).toBe(2)
    expect(lines).toEqual([{ rule: CHAIN, rows: 2, subject: expect.stringMatching(/^[0-9a-f-]{36}:1$/) }])
    expect(await metrics.registry.metrics()).toContain(`bakter_ledger_violations{rule="${CHAIN}"} 2`)
    await set(reason)
    expect(await auditLedger({ db: database.db, log }, metrics)).toBe(0)
    expect(await metrics.registry.metrics()).not.toContain(CHAIN)
  })
})

describe('I10: limits of the owner', () => {
  it.each([
    ...['ledger_transactions', 'ledger_entries', 'ledger_accounts', 'ledger_holds'].flatMap((table) => [
      `delete from control.${table}`,
      `truncate control.${table} cascade`,
    ]),
    `update control.ledger_transactions set reason = 'x'`,
    'update control.ledger_entries set amount_minor = amount_minor + 1',
    'update control.ledger_holds set amount_minor = amount_minor + 1, wallet_minor = wallet_minor + 1',
  ])('the owner may not %s', async (statement) => {
    await expect(database.owner.query(statement)).rejects.toMatchObject({ code: 'BK001' })
  })

  it('I1: the owner cannot commit a transaction whose entries do not add up', async () => {
    const [account] = await database.owner.query<{ id: string }>(
      `select id from control.ledger_accounts where kind = 'provider_clearing'`,
    )
    const forged = database.owner.transaction(async (tx) => {
      const id = systemIds.next()
      await tx.query(
        `insert into control.ledger_transactions (id, kind, idempotency_key, payload_hash, currency, reason, ref_type, ref_id,
           actor, created_at) values ($1, 'x', $2, sha256('x'), 'HUF', 'r', 'order', 'o', 'system', now())`,
        [id, systemIds.next()],
      )
      await tx.query(
        `insert into control.ledger_entries (account_id, seq, tx_id, currency, amount_minor, balance_after)
         values ($1, 1000, $2, 'HUF', 5, 5)`,
        [account?.id, id],
      )
    })
    await expect(forged).rejects.toMatchObject({ code: 'BK002' })
  })

  it('I1: the owner cannot commit a transaction without entries', async () => {
    const forged = database.owner.query(
      `insert into control.ledger_transactions (id, kind, idempotency_key, payload_hash, currency, reason, ref_type, ref_id,
         actor, created_at) values ($1, 'x', $2, sha256('x'), 'HUF', 'r', 'order', 'o', 'system', now())`,
      [systemIds.next(), systemIds.next()],
    )
    await expect(forged).rejects.toMatchObject({ code: 'BK002' })
  })

  it('I3: the owner cannot bring a wallet below its holds', async () => {
    const forged = database.owner.query(
      `update control.ledger_accounts set balance_minor = 989 where kind = 'user_wallet'`,
    )
    await expect(forged).rejects.toMatchObject({ code: '23514', constraint: 'ledger_account_available' })
  })

  it('I2: the audit sees every balance that the owner moves', async () => {
    await database.owner.query(
      `update control.ledger_accounts set balance_minor = balance_minor + 1 where kind = 'user_wallet'`,
    )
    expect(await database.owner.query('select rule from control.ledger_violations')).toEqual([
      { rule: 'balance differs from its entries' },
    ])
    await database.owner.query(
      `update control.ledger_accounts set balance_minor = balance_minor - 1 where kind = 'user_wallet'`,
    )
    expect(await database.owner.query('select rule from control.ledger_violations')).toEqual([])
  })

  it('I15: the owner cannot store a movement without a reason and a document', async () => {
    for (const [reason, ref] of [
      [' ', 'o'],
      ['r', ''],
    ]) {
      const forged = database.owner.query(
        `insert into control.ledger_transactions (id, kind, idempotency_key, payload_hash, currency, reason, ref_type, ref_id,
           actor, created_at) values ($1, 'x', $2, sha256('x'), 'HUF', $3, 'order', $4, 'system', now())`,
        [systemIds.next(), systemIds.next(), reason, ref],
      )
      await expect(forged).rejects.toMatchObject({ code: '23514' })
    }
  })

  it('the ledger accepts writes only under READ COMMITTED', async () => {
    const ledgerCall = database.owner.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read')
      await openLedger(postgresLedgerStore(tx)).post(moves.payIn(user, 1n))
    })
    await expect(ledgerCall).rejects.toMatchObject({ code: 'BK003' })
  })

  it('the refused edits have changed nothing', async () => {
    expect(await balanceOf(database.db, user)).toEqual({ money: 5000n, held: 990n, available: 4010n })
  })
})
