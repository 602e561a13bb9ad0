import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AggregatorMessage, SignedRequest } from '../../emulators/phone/aggregator.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { PHONE_SECRETS, phoneRig } from '../../factories/provider-rigs.ts'
import { orderContext, shopDatabase } from '../../factories/shop.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'
import { topUpCommand } from '../../factories/till.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase(40)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const rigAt = (now: () => number) => phoneRig(orderContext(database.db, { now }))
const rig = () => rigAt(() => START_MS)
const till = tillOf(
  () => database,
  () => [rig().provider],
)
const open = () => till.open({ method: 'phone', amount: 1905 })
const told = (code: string, changes: Partial<AggregatorMessage> = {}) =>
  rig().phone.message({ messageId: `m-${systemIds.next()}`, text: `BAKTER ${code.toUpperCase()}`, ...changes })
const post = (request: SignedRequest) =>
  till.routes().request('/payments/webhooks/phone', { method: 'POST', headers: request.headers, body: request.body })
const tell = (message: AggregatorMessage) => post(rig().phone.sign(message))
const eventsOf = (messageId: string) =>
  database.owner.query<{ event_id: string }>(
    `select event_id from control.provider_events where event_id like $1 and processed_at is not null order by event_id`,
    [`${messageId}:%`],
  )

describe('top-up by phone', () => {
  it('number, text, paid and credited amounts are shown before anything is sent', async () => {
    const { answer, providerPaymentId, paymentId } = await open()
    expect(answer.next).toEqual({
      kind: 'premium-sms',
      number: '06-90-888-333',
      text: `BAKTER ${providerPaymentId.toUpperCase()}`,
      paidFt: 1905,
      creditedFt: 800,
    })
    expect(answer.redirectUrl).toBe(`http://site.test/dashboard/balance/ok?transaction=${paymentId}`)
  })

  it('a call uses a code that can be typed', async () => {
    const userId = systemIds.next()
    const command = topUpCommand(userId, { method: 'phone', amount: 1905 })
    const result = await startTopUp(till.context(), {
      ...command,
      request: { ...command.request, kind: 'premium-call' },
    })
    expect(result).toMatchObject({ ok: true, answer: { next: { kind: 'premium-call', number: '06-90-111-222' } } })
    const [payment] = await till.paymentsOf(userId)
    expect(payment?.provider_payment_id).toMatch(/^\d{8}$/)
    await tell(
      told(payment?.provider_payment_id ?? '', { kind: 'premium-call', text: payment?.provider_payment_id ?? '' }),
    )
    expect(await till.money(userId)).toBe(800n)
  })

  it('the forwarded amount is credited: 1905 Ft paid give 800', async () => {
    const { userId, providerPaymentId: code } = await open()
    const message = told(code)
    expect((await tell({ ...message, state: 'received' })).status).toBe(200)
    expect(await till.money(userId)).toBe(0n)
    expect((await tell(message)).status).toBe(200)
    expect(await till.money(userId)).toBe(800n)
    expect(await till.statement(userId)).toEqual([{ type: 'top-up', amount: 800, status: 'finished', refundedFt: 0 }])
    const [clearing] = await database.owner.query<{ balance_minor: bigint }>(
      `select balance_minor from control.ledger_accounts where kind = 'provider_clearing' and provider = 'phone'`,
    )
    expect((clearing?.balance_minor ?? 0n) % 800n).toBe(0n)
  })

  it('T02, T11: a message delivered 20 times at once is one credit, one event and one message', async () => {
    const { userId, paymentId, providerPaymentId: code } = await open()
    const message = told(code)
    const request = rig().phone.sign(message)
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(request)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await till.money(userId)).toBe(800n)
    expect(await till.postings('top-up', paymentId)).toHaveLength(1)
    expect(await eventsOf(message.messageId)).toEqual([{ event_id: `${message.messageId}:billed:1905:800:HUF` }])
  })

  it.each([
    [['billed', 'received', 'rejected'], 800n],
    [['rejected', 'billed', 'received'], 800n],
    [['received', 'rejected', 'billed'], 800n],
    [['rejected', 'received'], 0n],
  ] as const)('T07: %j ends with %i Ft', async (states, credited) => {
    const { userId, providerPaymentId: code } = await open()
    const message = told(code)
    for (const state of states) await tell({ ...message, state })
    expect(await till.money(userId)).toBe(credited)
  })

  it('T10: a second message with the same code is kept for staff with its customer', async () => {
    const { userId, paymentId, providerPaymentId: code } = await open()
    const [first, second] = [told(code), told(code)]
    await tell(first)
    await tell(second)
    await tell(second)
    expect(await till.money(userId)).toBe(800n)
    expect(await till.unmatched(`payment_id = '${paymentId}'`)).toMatchObject([
      { problem: 'SECOND_SETTLEMENT', user_id: userId, state: 'open' },
    ])
  })

  it('case 63, T08: a mistyped code is kept for staff, without a customer', async () => {
    const message = told('zzzzzzzz')
    await tell(message)
    expect(await till.unmatched(`provider_payment_id = 'message:${message.messageId}'`)).toMatchObject([
      { problem: 'UNKNOWN_PAYMENT', user_id: null },
    ])
  })

  it.each([
    ['the price of another number', { grossFt: 5080, forwardedFt: 2100 }, 'AMOUNT_MISMATCH'],
    ['less handed over than was told', { forwardedFt: 790 }, 'AMOUNT_MISMATCH'],
    ['another currency', { currency: 'EUR' }, 'CURRENCY_MISMATCH'],
  ])('case 65, T09: %s is kept for staff', async (_name, changes, problem) => {
    const { userId, paymentId, providerPaymentId: code } = await open()
    await tell(told(code, changes))
    expect(await till.money(userId)).toBe(0n)
    expect(await till.unmatched(`payment_id = '${paymentId}'`)).toMatchObject([{ problem, user_id: userId }])
  })

  it.each([
    ['fits', { grossFt: 5080, forwardedFt: 2100 }, {}, 800n, null],
    ['does not fit', {}, { grossFt: 5080, forwardedFt: 2100 }, 0n, 'AMOUNT_MISMATCH'],
  ] as const)(
    'T09: the billed amounts count, not the first received ones: it %s',
    async (_how, received, billed, credited, problem) => {
      const { userId, providerPaymentId: code } = await open()
      const message = told(code)
      await tell({ ...message, ...received, state: 'received' })
      await tell({ ...message, ...billed })
      expect(await till.money(userId)).toBe(credited)
      expect(await till.paymentsOf(userId)).toMatchObject([{ problem }])
    },
  )

  it('T09, T10: a bill repeated with another amount moves nothing and needs staff', async () => {
    const { userId, paymentId, providerPaymentId: code } = await open()
    const message = told(code)
    await tell(message)
    await tell({ ...message, forwardedFt: 900 })
    expect(await till.money(userId)).toBe(800n)
    expect(await till.paymentsOf(userId)).toMatchObject([{ state: 'settled', problem: 'AMOUNT_MISMATCH' }])
    expect(await till.unmatched(`payment_id = '${paymentId}'`)).toMatchObject([{ state: 'open', user_id: userId }])
    await tell(message)
    expect(await till.paymentsOf(userId)).toMatchObject([{ problem: 'AMOUNT_MISMATCH' }])
  })

  it('a carrier’s charge-back takes the forwarded amount, once', async () => {
    const { userId, providerPaymentId: code } = await open()
    const message = told(code)
    await tell(message)
    expect(await till.money(userId)).toBe(800n)
    for (let times = 0; times < 3; times += 1) await tell({ ...message, state: 'charged_back' })
    expect(await till.money(userId)).toBe(0n)
    const [row] = await database.owner.query(
      'select amount_ft, debt_ft, state from control.chargebacks where user_id = $1',
      [userId],
    )
    expect(row).toEqual({ amount_ft: 800n, debt_ft: 0n, state: 'taken' })
    expect(await till.paymentsOf(userId)).toMatchObject([{ dispute: 'lost' }])
  })

  it('a charge-back reported before the bill ends with nothing', async () => {
    const { userId, providerPaymentId: code } = await open()
    const message = told(code)
    for (const state of ['received', 'charged_back', 'billed'] as const) await tell({ ...message, state })
    expect(await till.money(userId)).toBe(0n)
  })

  it('a failed event is handled when it arrives again', async () => {
    const { userId, providerPaymentId: code } = await open()
    const { provider, phone } = rig()
    const message = told(code)
    let broken = true
    const flaky = {
      ...provider,
      fetchState: (ref: Parameters<typeof provider.fetchState>[0]) =>
        broken ? Promise.reject(new Error('the database is away')) : provider.fetchState(ref),
    }
    const at = tillOf(
      () => database,
      () => [flaky],
    )
    const request = phone.sign(message)
    const send = () =>
      at.routes().request('/payments/webhooks/phone', { method: 'POST', headers: request.headers, body: request.body })
    expect((await send()).status).toBe(500)
    expect(await eventsOf(message.messageId)).toEqual([])
    broken = false
    expect((await send()).status).toBe(200)
    expect(await till.money(userId)).toBe(800n)
  })
})

describe('T11, T17: forged or outdated messages', () => {
  it('all of them are refused and leave nothing', async () => {
    const { providerPaymentId: code } = await open()
    const { phone } = rig()
    const message = told(code)
    const genuine = phone.sign(message)
    const header = genuine.headers['x-signature'] ?? ''
    const forged: SignedRequest[] = [
      { ...genuine, headers: {} },
      { ...genuine, headers: { 'x-signature': '' } },
      { ...genuine, headers: { 'x-signature': header.replace('v1=', 'v0=') } },
      { ...genuine, headers: { 'x-signature': header.toUpperCase() } },
      { ...genuine, body: `${genuine.body} ` },
      { ...genuine, body: genuine.body.replace('1905', '9999') },
      { ...genuine, body: '' },
      phone.sign(message, { atMs: START_MS - 301_000 }),
      phone.sign(message, { atMs: START_MS + 301_000 }),
      phone.sign(message, { secrets: ['an old secret that was taken away'] }),
      phone.sign({ ...message, messageId: '../../x y' }),
      phone.sign({ ...message, grossFt: '1905' }),
      phone.sign({ ...message, forwardedFt: Number.POSITIVE_INFINITY }),
      phone.sign({ ...message, grossFt: 0 }),
      phone.sign({ ...message, state: 'settled' }),
      phone.sign([]),
    ]
    const before = await till.everything()
    for (const request of forged) expect((await post(request)).status).toBe(400)
    expect(await till.everything()).toEqual(before)
  })

  it('the second secret is accepted during a rotation', async () => {
    const { userId, providerPaymentId: code } = await open()
    await post(rig().phone.sign(told(code), { secrets: ['one that nobody knows here any more', PHONE_SECRETS[1]] }))
    expect(await till.money(userId)).toBe(800n)
  })

  it('a body that is too large is not read', async () => {
    const before = await till.everything()
    const answer = await post({ headers: {}, query: {}, body: 'x'.repeat(65 * 1024) })
    expect(answer.status).toBe(413)
    expect(await till.everything()).toEqual(before)
  })
})
