import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MailOrder } from '#contracts/mail/mail.ts'
import { acceptMail } from '../../../control-plane/messages/mail/accept-mail.ts'
import type { MailContext } from '../../../control-plane/messages/mail/mail-context.ts'
import { MailFailure, type OutgoingMail } from '../../../control-plane/messages/mail/mail-transport.ts'
import { reviveMails, sendMail } from '../../../control-plane/messages/mail/send-mail.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import type { Logger } from '#platform/logger.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { sweep } from '../../../control-plane/people/sweep.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { ManualClock } from '../../setup/manual-clock.ts'

const CODE = '271828'
const MINUTE_MS = 60_000
let database: ControlDatabase
let clock: ManualClock
let sent: OutgoingMail[]
let lines: string[]
let answer: () => void
beforeAll(async () => {
  // The sweep looks at what staff have removed too.
  database = await shopDatabase()
})
afterAll(() => database.close())
beforeEach(() => {
  clock = new ManualClock('2026-11-21T12:00:00Z')
  sent = []
  lines = []
  answer = () => {}
})

const write = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }))
const log: Logger = { info: write, warn: write, error: write, debug: write, child: () => log }

const contextWith = (faults: FaultPoint = async () => {}) => ({
  db: database.db,
  clock,
  ids: systemIds,
  faults,
  log,
  metrics: createMetrics(),
  mailSecret: 'secret of the tests',
  mail: {
    transport: {
      name: 'test',
      send: (mail: OutgoingMail) => {
        sent.push(mail)
        return Promise.resolve().then(answer)
      },
    },
    sender: () => Promise.resolve({ name: 'Bakter', address: 'noreply@host.example' }),
    facts: () => Promise.resolve({ hostName: 'Bakter', siteUrl: 'https://host.example' }),
  },
})

const orderOf = (minutes = 10): MailOrder => ({
  id: systemIds.next(),
  to: 'anna@example.com',
  language: 'hu',
  expiresAt: new Date(clock.now() + minutes * MINUTE_MS).toISOString(),
  content: { kind: 'verify', params: { username: 'anna', code: CODE, minutes: 10 } },
})

const accept = async (order: MailOrder, context: MailContext = contextWith()) => {
  await context.db.transaction((tx) => acceptMail(tx, context, { order, requestId: 'request-1' }))
  return order.id
}

type Row = { state: string; tries: number; sealed: Buffer | null; failure: string | null; next_try_at: Date }
const rowOf = async (id: string) => {
  const [row] = await database.db.query<Row>(
    'select state, tries, sealed, failure, next_try_at from control.mails where id = $1',
    [id],
  )
  if (!row) throw new Error(`no mail ${id}`)
  return row
}
const tasksOf = async (id: string) =>
  (
    await database.db.query<{ available_at: Date }>(
      `select available_at from control.outbox where topic = 'mail-send' and payload ->> 'mailId' = $1 order by available_at`,
      [id],
    )
  ).map((row) => row.available_at.getTime() - clock.now())
const fail =
  (kind: MailFailure['kind'], code = 'CODE') =>
  () => {
    throw new MailFailure(kind, code)
  }

describe('a mail', () => {
  it('a mail is sent once, by its task, and its content is erased then', async () => {
    const id = await accept(orderOf())
    expect(await tasksOf(id)).toEqual([0])
    await sendMail(contextWith(), id)
    await sendMail(contextWith(), id)
    expect(sent).toMatchObject([
      {
        id,
        to: 'anna@example.com',
        language: 'hu',
        messageId: `<${id}@host.example>`,
        subject: expect.stringContaining(CODE),
      },
    ])
    expect(await rowOf(id)).toMatchObject({ state: 'sent', tries: 1, sealed: null, failure: null })
  })

  it('a mail handed over twice is one mail', async () => {
    const order = orderOf()
    const id = await accept(order)
    await accept({ ...order, to: 'eve@evil.example' })
    expect(await tasksOf(id)).toHaveLength(1)
    await sendMail(contextWith(), id)
    await accept(order)
    expect(await tasksOf(id)).toHaveLength(1)
    expect(sent.map(({ to }) => to)).toEqual(['anna@example.com'])
  })

  it('a mail whose caller’s transaction fails is neither a mail nor a task', async () => {
    const [context, order] = [contextWith(), orderOf()]
    const accepted = context.db.transaction(async (tx) => {
      await acceptMail(tx, context, { order, requestId: 'request-1' })
      throw new Error('killed')
    })
    await expect(accepted).rejects.toThrow('killed')
    expect(await tasksOf(order.id)).toEqual([])
    expect(await database.db.query('select 1 from control.mails where id = $1', [order.id])).toEqual([])
  })

  it('a mail taken by 20 workers at once is sent by one of them', async () => {
    const id = await accept(orderOf())
    await Promise.all(Array.from({ length: 20 }, () => sendMail(contextWith(), id)))
    expect(sent).toHaveLength(1)
  })

  it('a mail’s code is not in plain text in the database, in a task or in a log', async () => {
    const id = await accept(orderOf())
    answer = fail('temporary')
    await sendMail(contextWith(), id)
    const stored = await database.db.query<{ mail: string; task: string | null }>(
      `select (to_jsonb(mail) - 'sealed' - 'id')::text as mail, (select string_agg((to_jsonb(o) - 'id')::text, ' ') from control.outbox o) as task
       from control.mails mail where id = $1`,
      [id],
    )
    expect(JSON.stringify(stored)).not.toContain(CODE)
    expect((await rowOf(id)).sealed?.toString('utf8')).not.toContain(CODE)
    expect(lines.join()).not.toMatch(new RegExp(`${CODE}|anna@`))
    expect(lines.join()).toContain('request-1')
  })

  it('an unsent mail waits longer each time, for a separate task', async () => {
    const id = await accept(orderOf(1_000))
    answer = fail('temporary', 'ECONNECTION')
    for (const seconds of [10, 20, 40]) {
      await sendMail(contextWith(), id)
      expect((await rowOf(id)).next_try_at.getTime() - clock.now()).toBe(seconds * 1_000)
      expect(await tasksOf(id)).toContain(seconds * 1_000)
      // A task that comes too early does nothing.
      await sendMail(contextWith(), id)
      clock.advance(seconds * 1_000)
    }
    answer = () => {}
    await sendMail(contextWith(), id)
    expect(sent).toHaveLength(4)
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1)
    expect(await rowOf(id)).toMatchObject({ state: 'sent', tries: 4 })
  })

  it.each([
    ['the mailbox does not exist', 'permanent', 10, 'EENVELOPE 550'],
    ['it would be worth nothing by then', 'temporary', 0.1, 'expired: EENVELOPE 550'],
  ] as const)('a mail is given up with an alarm when %s', async (_why, kind, minutes, failure) => {
    const id = await accept(orderOf(minutes))
    answer = fail(kind, 'EENVELOPE 550')
    const context = contextWith()
    await sendMail(context, id)
    expect(await rowOf(id)).toMatchObject({ state: 'failed', sealed: null, failure })
    expect(lines.join()).toContain('mail given up')
    expect(await context.metrics.registry.metrics()).toContain('bakter_mail_alarms_total{reason="given up"} 1')
  })

  it('a mail server that takes nothing gets a mail 36 times, over more than a day, and the last of them is told', async () => {
    const id = await accept(orderOf(100 * 60))
    const from = clock.now()
    answer = fail('temporary', 'ECONNECTION')
    while ((await rowOf(id)).state === 'waiting') {
      await sendMail(contextWith(), id)
      clock.advance(Math.max(0, (await rowOf(id)).next_try_at.getTime() - clock.now()))
    }
    expect(await rowOf(id)).toMatchObject({ state: 'failed', tries: 36, failure: 'tries: ECONNECTION', sealed: null })
    expect(sent).toHaveLength(36)
    expect(clock.now() - from).toBeGreaterThan(24 * 60 * MINUTE_MS)
    expect(lines.join()).toContain('mail given up')
  })

  it('an expired mail is not sent', async () => {
    const id = await accept(orderOf())
    clock.advance(10 * MINUTE_MS)
    await sendMail(contextWith(), id)
    expect(sent).toEqual([])
    expect(await rowOf(id)).toMatchObject({ state: 'failed', failure: 'expired' })
  })

  it('wrong settings alarm the operator, and the mail is sent once they are fixed', async () => {
    const id = await accept(orderOf())
    answer = fail('configuration', 'EAUTH 535')
    const context = contextWith()
    await sendMail(context, id)
    expect(await context.metrics.registry.metrics()).toContain('bakter_mail_alarms_total{reason="configuration"} 1')
    clock.advance(10_000)
    answer = () => {}
    await sendMail(contextWith(), id)
    expect(await rowOf(id)).toMatchObject({ state: 'sent' })
  })

  it('a mail that this version cannot render waits for a newer one', async () => {
    const id = await accept(orderOf())
    const broken = { ...contextWith(), mailSecret: 'another secret' }
    await sendMail(broken, id)
    expect(await rowOf(id)).toMatchObject({ state: 'waiting', failure: 'NOT_COMPOSED' })
  })
})

describe('a process that dies', () => {
  it.each(['mail.leased', 'mail.handed-over'])(
    'a process that dies at %s leaves the mail to another, under the same Message-ID',
    async (point) => {
      const id = await accept(orderOf())
      const dying = contextWith(async (name) => {
        if (name === point) throw new Error('killed')
      })
      await expect(sendMail(dying, id)).rejects.toThrow('killed')
      // As long as the lease runs nobody else has it.
      await sendMail(contextWith(), id)
      const before = sent.length
      clock.advance(3 * MINUTE_MS)
      await sendMail(contextWith(), id)
      expect(sent.length).toBe(before + 1)
      expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1)
      expect(await rowOf(id)).toMatchObject({ state: 'sent', sealed: null })
    },
  )

  it('a mail whose task died with its process gets a new one', async () => {
    const id = await accept(orderOf())
    await database.db.query('delete from control.outbox')
    // It may still come: a task is lost once its mail is due for 30 s.
    clock.advance(30_000 - 1)
    await reviveMails(contextWith())
    expect(await tasksOf(id)).toEqual([])
    clock.advance(1)
    await reviveMails(contextWith())
    expect(await tasksOf(id)).toHaveLength(1)
  })
})

it('a mail that somebody is sending gets no second task within its lease', async () => {
  const id = await accept(orderOf())
  await database.db.query('delete from control.outbox')
  const slow = contextWith(async (name) => {
    if (name !== 'mail.leased') return
    clock.advance(MINUTE_MS)
    await reviveMails(contextWith())
  })
  await sendMail(slow, id)
  expect([await tasksOf(id), sent.length]).toEqual([[], 1])
})

it('the outcome of a mail is kept for 30 days', async () => {
  const [done, waiting] = [await accept(orderOf()), await accept(orderOf())]
  await sendMail(contextWith(), done)
  clock.advance(31 * 24 * 60 * MINUTE_MS)
  await sweep(contextWith())
  const left = await database.db.query<{ id: string }>('select id from control.mails where id = any ($1)', [
    [done, waiting],
  ])
  expect(left.map(({ id }) => id)).toEqual([waiting])
})
