import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MailOrder } from '#contracts/mail/mail.ts'
import { enqueueMail } from '../../../src/identity/mails/mail-outbox.ts'
import { drainMails, startMailRelay } from '../../../src/identity/accounts/mail-relay.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { waitFor } from '../../support/wait-for.ts'

const CODE = '314159'
let site: TestIdentity
let handed: { order: MailOrder; requestId: string }[]
let isAway = false
let failures: unknown[]
beforeAll(async () => {
  site = await createIdentity()
})
afterAll(() => site.close())
beforeEach(async () => {
  handed = []
  failures = []
  isAway = false
  await site.context.db.query('truncate identity.mail_outbox')
})

const deps = () => ({
  context: site.context,
  handOver: (order: MailOrder, requestId: string) => {
    if (isAway) return Promise.reject(new Error('away'))
    handed.push({ order, requestId })
    return Promise.resolve()
  },
  onFailure: (error: unknown) => void failures.push(error),
})
const enqueue = (to: string, minutes = 10) =>
  site.context.db.transaction((tx) =>
    enqueueMail(tx, site.context, {
      to,
      language: 'de',
      minutes,
      requestId: 'request-1',
      content: { kind: 'verify', params: { username: 'anna', code: CODE, minutes: 10 } },
    }),
  )
const waiting = async () =>
  (await site.context.db.query<{ attempts: number }>('select attempts from identity.mail_outbox order by id')).map(
    (row) => row.attempts,
  )

test('mails are handed over once, in the order in which they were written', async () => {
  for (const name of ['one', 'two', 'three']) await enqueue(`${name}@example.com`)
  await Promise.all(Array.from({ length: 4 }, () => drainMails(deps())))
  expect(handed.map(({ order }) => order.to).sort()).toEqual([
    'one@example.com',
    'three@example.com',
    'two@example.com',
  ])
  expect(handed[0]).toMatchObject({
    requestId: 'request-1',
    order: { language: 'de', content: { params: { code: CODE } } },
  })
  expect(await waiting()).toEqual([])
})

test('waiting mails are sealed in the database', async () => {
  await enqueue('anna@example.com')
  const rows = await site.context.db.query<{ row: string; sealed: Buffer }>(
    `select (to_jsonb(mail) - 'sealed')::text as row, sealed from identity.mail_outbox mail`,
  )
  expect(`${rows[0]?.row} ${rows[0]?.sealed.toString('utf8')}`).not.toMatch(new RegExp(`${CODE}|anna`))
})

test('no mail is sent when the transaction does not commit', async () => {
  const failing = site.context.db.transaction(async (tx) => {
    await enqueueMail(tx, site.context, {
      to: 'anna@example.com',
      language: 'de',
      minutes: 10,
      requestId: '',
      content: { kind: 'verify', params: { username: 'anna', code: CODE, minutes: 10 } },
    })
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await waiting()).toEqual([])
})

test('while the control plane is down mails wait, ever longer, and are sent when it is back', async () => {
  isAway = true
  await enqueue('anna@example.com')
  await drainMails(deps())
  await drainMails(deps())
  expect(await waiting()).toEqual([1])
  site.clock.advance(1_000)
  await drainMails(deps())
  expect(await waiting()).toEqual([2])
  expect(failures).toHaveLength(2)
  isAway = false
  site.clock.advance(60_000)
  await drainMails(deps())
  expect(handed.map(({ order }) => order.to)).toEqual(['anna@example.com'])
})

test('a control plane that is down is asked for one mail, and the others wait without a failure of their own', async () => {
  isAway = true
  for (const name of ['one', 'two', 'three']) await enqueue(`${name}@example.com`)
  await drainMails(deps())
  expect([await waiting(), failures.length]).toEqual([[1, 0, 0], 1])
  isAway = false
  site.clock.advance(1_000)
  await drainMails(deps())
  expect([await waiting(), handed.length]).toEqual([[], 3])
})

test('an expired mail is not handed over', async () => {
  await enqueue('anna@example.com', 1)
  site.clock.advance(61_000)
  await drainMails(deps())
  expect([handed, await waiting()]).toEqual([[], []])
})

test('a committed mail wakes the relay', async () => {
  const relay = startMailRelay(deps())
  await enqueue('anna@example.com')
  await waitFor('the mail', () => handed.length === 1)
  await relay.close()
  expect(await waiting()).toEqual([])
})

test.each([
  '"anna@evil.example x"@example.com',
  'anna@example.com, eve@evil.example',
  'anna@example.com\r\nBcc: eve@evil.example',
])('a mail to %j is refused (nodemailer advisories)', async (to) => {
  await expect(enqueue(to)).rejects.toThrow(/email/)
  expect(await waiting()).toEqual([])
})
