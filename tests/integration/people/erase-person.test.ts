import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { openLedger } from '../../../control-plane/money/ledger/ledger.ts'
import { postgresLedgerStore } from '../../../control-plane/money/ledger/postgres-ledger-store.ts'
import { topUpSettled } from '../../../control-plane/money/ledger/postings.ts'
import { ERASE_FAULTS, erasePerson } from '../../../control-plane/people/erase-person.ts'
import { systemIds } from '#platform/ids.ts'
import { PERSONAL_TABLES } from '../../../src/domain/users/personal-tables.ts'
import { ERASURE_FAULTS } from '../../../src/identity/accounts/erase-accounts.ts'
import { undoByLink } from '../../../src/identity/accounts/leave-account.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import { sweepIdentity } from '../../../src/identity/accounts/retention.ts'
import { balanceOf } from '../../factories/shop.ts'
import { openWholeSite } from '../../factories/whole-site.ts'
import type { WholeSite } from '../../factories/whole-site.ts'
import { PASSWORD, somewhere } from '../../support/people.ts'
import { tokenOf } from '../../support/site-mails.ts'

const DAY_MS = 86_400_000
let rig: WholeSite
beforeAll(async () => {
  rig = await openWholeSite()
})
afterAll(() => rig.close())
beforeEach(() => rig.site.context.db.query('truncate identity.limit_buckets'))

/** Every row of all three schemas, each as text with the name of its table. */
const everything = async (): Promise<string[]> => {
  const tables = await rig.site.context.db.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'identity', 'control') and table_type = 'BASE TABLE'`,
  )
  const rows = []
  for (const { name } of tables) {
    const found = await rig.site.context.db.query<{ text: string }>(`select t::text as text from ${name} t`)
    rows.push(...found.map(({ text }) => `${name}: ${text}`))
  }
  return rows.sort()
}

describe('erasing a person', () => {
  const left = async () => {
    const anna = await rig.person({ lived: true })
    expect(await rig.leaveWithEverything(anna)).toMatchObject({ ok: true })
    await rig.mails.collect()
    rig.site.clock.advance(14 * DAY_MS)
    return anna
  }

  test('the person’s acts on somebody else’s server stay in its log, without address; their other lines go', async () => {
    const bob = await rig.person({ lived: true })
    const anna = await left()
    const [own, others] = [
      (await rig.control.query<{ id: string }>('select id from control.servers where owner_id = $1', [anna.userId]))[0],
      (await rig.control.query<{ id: string }>('select id from control.servers where owner_id = $1', [bob.userId]))[0],
    ]
    const servers = [own?.id ?? null, others?.id ?? null, null]
    expect(servers.filter((id) => id !== null)).toHaveLength(2)
    for (const [n, serverId] of servers.entries()) {
      await rig.control.query(
        `insert into control.activities (id, user_id, server_id, ip_address, place, type, status, detail, created_at)
         values ($1, $2, $3, '192.0.2.77', 'Budapest', 'server:file.write', 'success', $4, now())`,
        [systemIds.next(), anna.userId, serverId, JSON.stringify({ text: `file ${n}` })],
      )
    }
    expect(await rig.erase()).toBe(1)
    const rows = await rig.control.query(
      'select server_id, ip_address, place, detail from control.activities where user_id = $1',
      [anna.userId],
    )
    expect(rows).toEqual([{ server_id: others?.id, ip_address: '', place: '', detail: { text: 'file 1' } }])
  })

  test('sub-users’ entries no longer quote the name and description of the person’s server, and keep everything else', async () => {
    const bob = await rig.person({ lived: true })
    const anna = await left()
    const detail = { before: 'Anna’s server', after: 'The server of Anna' }
    const serverOf = async ({ userId }: { userId: string }) => {
      const [server] = await rig.control.query<{ id: string }>('select id from control.servers where owner_id = $1', [
        userId,
      ])
      return server?.id
    }
    const [annas, bobs] = [await serverOf(anna), await serverOf(bob)]
    expect([typeof annas, typeof bobs]).toEqual(['string', 'string'])
    const entries = [
      [annas, 'server:settings.rename'],
      [annas, 'server:settings.description'],
      [annas, 'server:settings.time-zone'],
      [bobs, 'server:settings.rename'],
    ]
    const ids = entries.map(() => systemIds.next())
    for (const [n, [serverId, type]] of entries.entries()) {
      await rig.control.query(
        `insert into control.activities (id, user_id, server_id, type, status, detail, created_at)
         values ($1, $2, $3, $4, 'success', $5, now())`,
        [ids[n], bob.userId, serverId, type, JSON.stringify(detail)],
      )
    }
    expect(await rig.erase()).toBe(1)
    const rows = await rig.control.query<{ detail: object }>(
      'select detail from control.activities where id = any ($1) order by id',
      [ids],
    )
    expect(rows.map((row) => row.detail)).toEqual([{}, {}, detail, detail])
  })

  test('a file that the person sent in somebody else’s ticket stays without its name; one that was not sent goes', async () => {
    const bob = await rig.person({ lived: true })
    const anna = await left()
    const [messageId, fileId, unsentId] = [systemIds.next(), systemIds.next(), systemIds.next()]
    await rig.control.query(
      `insert into control.ticket_messages (id, ticket_id, author_id, by_staff, kind, text, created_at)
       select $1, id, $2, false, 'message', 'Look', now() from control.tickets where opener_id = $3`,
      [messageId, anna.userId, bob.userId],
    )
    for (const [id, message] of [
      [fileId, messageId],
      [unsentId, null],
    ])
      await rig.control.query(
        `insert into control.ticket_attachments (id, author_id, message_id, place, name, kind, media_type, bytes, created_at)
         values ($1, $2, $3, case when $3::uuid is not null then 1 end, 'Anna.Doe.LOG', 'text', 'text/plain', 'x', now())`,
        [id, anna.userId, message],
      )
    expect(await rig.erase()).toBe(1)
    const rows = await rig.control.query('select id, name from control.ticket_attachments where author_id = $1', [
      anna.userId,
    ])
    expect(rows).toEqual([{ id: fileId, name: 'attachment.LOG' }])
  })

  test('mails that the person got and sent in somebody else’s ticket go with the account', async () => {
    const bob = await rig.person({ lived: true })
    const anna = await left()
    await rig.control.query(
      `insert into control.ticket_mails (ticket_id, user_id, answer_to)
       select id, $1, $2 from control.tickets where opener_id = $3`,
      [anna.userId, `<${anna.canary}@mail.test>`, bob.userId],
    )
    expect(await rig.erase()).toBe(1)
    const rows = await rig.control.query<{ user_id: string }>(
      'select user_id from control.ticket_mails where user_id = any ($1)',
      [[anna.userId, bob.userId]],
    )
    expect(rows).toEqual([{ user_id: bob.userId }])
  })

  test('the erasure leaves nothing that identifies the person, keeps the books, and touches nobody else', async () => {
    const bob = await rig.person({ lived: true })
    const anna = await left()
    // Rows that have no use any more go first: buckets of limits name who filled them until they are empty.
    await sweepIdentity(rig.site.context)
    const before = (await everything()).filter((row) => row.includes(bob.userId) || row.includes(bob.canary))
    expect(await rig.erase()).toBe(1)
    const rows = await everything()
    expect(rows.filter((row) => row.includes(anna.canary))).toEqual([])
    const kept = rows.filter((row) => row.includes(anna.userId)).map((row) => row.split(':')[0])
    const mayStay = PERSONAL_TABLES.filter(({ onDeletion }) => onDeletion !== 'delete').map(({ table }) => table)
    const books = ['control.ledger_transactions', 'control.ledger_checkpoints']
    expect(kept.filter((table) => ![...mayStay, ...books].includes(table ?? ''))).toEqual([])
    expect(kept).toContain('control.orders')
    expect(rows.filter((row) => row.includes(bob.userId) || row.includes(bob.canary))).toEqual(before)
    expect(await rig.stateOf(anna)).toEqual({ shown: 'erased', state: 'erased' })
    expect(await balanceOf(rig.control, anna.userId)).toMatchObject({ money: 0n, available: 0n })
    expect(await rig.control.query('select * from control.ledger_violations')).toEqual([])
    const servers = await rig.control.query<{ desired: string; generation: number }>(
      'select desired, generation from control.servers where owner_id = $1',
      [anna.userId],
    )
    expect(servers).toEqual([{ desired: 'deleted', generation: 2 }])
  })

  test('the erasure frees the names', async () => {
    const anna = await left()
    await rig.erase()
    const again = { username: anna.username, email: anna.email, password: PASSWORD, language: 'en' as const }
    const made = await register(rig.site.context, again, somewhere())
    expect(made).toMatchObject({ ok: true })
    expect(made.ok && made.userId).not.toBe(anna.userId)
  })

  const kill = (at: string) => (point: string) => {
    if (point === at) throw new Error(`killed at ${at}`)
  }

  test.each(ERASURE_FAULTS)(
    'the site dies at "%s": the next run completes it, and nothing is lost or doubled',
    async (at) => {
      const anna = await left()
      rig.failures.length = 0
      await rig.erase({ fault: kill(at) })
      expect(rig.failures).toHaveLength(1)
      expect(await rig.signIn(anna.username)).toMatchObject({ ok: false })
      await rig.erase()
      expect(await rig.stateOf(anna)).toEqual({ shown: 'erased', state: 'erased' })
      expect((await everything()).filter((row) => row.includes(anna.canary))).toEqual([])
      const forfeits = await rig.control.query(`select 1 from control.ledger_transactions where idempotency_key = $1`, [
        `forfeit:${anna.userId}`,
      ])
      expect(forfeits).toHaveLength(1)
    },
  )

  test.each(ERASE_FAULTS)(
    'the control plane dies at "%s": all of its part or none, and the next run completes it',
    async (at) => {
      const anna = await left()
      rig.failures.length = 0
      await rig.erase({}, (point) => (point === at ? Promise.reject(new Error(`killed at ${at}`)) : Promise.resolve()))
      expect(rig.failures).toHaveLength(1)
      const [row] = await rig.control.query<{ name: string }>('select name from control.servers where owner_id = $1', [
        anna.userId,
      ])
      expect(row?.name).toBe(at === 'erase.committed' ? 'deleted' : anna.canary)
      expect(await rig.stateOf(anna)).toMatchObject({ state: 'erasing' })
      await rig.erase()
      expect(await rig.stateOf(anna)).toEqual({ shown: 'erased', state: 'erased' })
      expect(await balanceOf(rig.control, anna.userId)).toMatchObject({ money: 0n })
    },
  )

  test('two concurrent runs erase once', async () => {
    const anna = await left()
    rig.failures.length = 0
    await Promise.all([rig.erase(), rig.erase()])
    expect(rig.failures).toEqual([])
    expect(await rig.stateOf(anna)).toEqual({ shown: 'erased', state: 'erased' })
  })

  test('the erasure waits when money arrived that was not forfeited; it can still be cancelled then', async () => {
    const anna = await left()
    const id = systemIds.next()
    const origin = { id: systemIds.next(), atMs: rig.site.clock.now(), actor: 'system', requestId: 'late' }
    const paid = { id, provider: 'sandbox', providerPaymentId: id, userId: anna.userId, amount: forints(1n) }
    await openLedger(postgresLedgerStore(rig.control)).post(topUpSettled(origin, paid))
    await rig.erase()
    expect(await rig.stateOf(anna)).toEqual({ shown: 'leaving', state: 'leaving' })
    expect(await erasePerson(rig.context(), { ...anna, waivedFt: 5_000, requestId: 'r' })).toEqual({
      ok: false,
      code: 'BALANCE_NOT_WAIVED',
    })
    expect(
      await undoByLink(rig.site.context, tokenOf(await rig.mails.newest('account-deletion', anna.email)), somewhere()),
    ).toMatchObject({ ok: true })
  })
})
