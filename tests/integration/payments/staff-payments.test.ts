import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { INTERNAL_CALLS, type InternalCallName } from '#contracts/internal-api/calls.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { callMoney } from '../../factories/money-api.ts'
import { barionRig, phoneRig, type BarionRig } from '../../factories/provider-rigs.ts'
import { callerOf, orderContext, shopDatabase } from '../../factories/shop.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'
import { RETURN_URL } from '../../factories/till.ts'

let database: ControlDatabase
let rig: BarionRig
beforeAll(async () => {
  database = await shopDatabase()
  rig = await barionRig()
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(async () => {
  await rig.barion.close()
  await database.close()
})

const phone = () => phoneRig(orderContext(database.db, { now: () => START_MS }))
const till = tillOf(
  () => database,
  () => [rig.provider, phone().provider],
)
const staff = { ...callerOf('0197c0de-0000-7000-8000-00000000aaaa'), isAdmin: true }
const call = (name: InternalCallName, input: object, body?: string) =>
  callMoney(till.context(), name, { input: body ?? { caller: staff, ...input } })
async function person() {
  const id = systemIds.next()
  await database.owner.query('insert into cms_api.people (id) values ($1)', [id])
  return id
}
const callback = (id: string) => till.routes().request(`/payments/webhooks/barion?paymentId=${id}`, { method: 'POST' })

async function unmatchedAmount(change: { Total?: number; Currency?: string }) {
  const userId = await person()
  const opened = await till.open({ method: 'barion', userId })
  rig.barion.decide(opened.providerPaymentId, 'succeed')
  rig.barion.tamper(opened.providerPaymentId, change)
  await callback(opened.providerPaymentId)
  const [unmatched] = await till.unmatched(`payment_id = '${opened.paymentId}'`)
  return { ...opened, unmatchedId: unmatched?.id ?? '' }
}
const reason = 'Found out by telephone.'

describe('unmatched payments', () => {
  it('T08: an unmatched payment is listed until staff assign it, and is credited once', async () => {
    const { userId, unmatchedId, paymentId, providerPaymentId } = await unmatchedAmount({ Total: 2500 })
    const list = INTERNAL_CALLS['unmatched-payments'].output.parse((await call('unmatched-payments', {})).json)
    expect(list.items.find(({ id }) => id === unmatchedId)).toMatchObject({
      problem: 'AMOUNT_MISMATCH',
      forwardedFt: 2500,
      userId,
      paymentId,
      state: 'open',
    })
    const problems = INTERNAL_CALLS['staff-payments'].output.parse(
      (await call('staff-payments', { which: 'problem' })).json,
    )
    expect(problems.items.find(({ id }) => id === paymentId)).toMatchObject({ problem: 'AMOUNT_MISMATCH' })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('assign-unmatched', { unmatchedId, userId, reason })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    await callback(providerPaymentId)
    expect(await till.money(userId)).toBe(2500n)
    expect(await till.statement(userId)).toEqual([{ type: 'top-up', amount: 2500, status: 'finished', refundedFt: 0 }])
    expect(await till.paymentsOf(userId)).toMatchObject([{ state: 'settled' }])
    const logged = await database.owner.query<{ detail: object }>(
      `select detail from control.activities where user_id = $1 and type = 'staff.unmatched-resolved'`,
      [staff.userId],
    )
    expect(logged.map(({ detail }) => detail)).toContainEqual({ unmatchedId, userId, creditedFt: 2500, reason })
  })

  it('one in another currency needs staff’s amount in forints', async () => {
    const { userId, unmatchedId } = await unmatchedAmount({ Currency: 'EUR' })
    const assign = (amountFt?: unknown) =>
      call('assign-unmatched', { unmatchedId, userId, reason, ...(amountFt === undefined ? {} : { amountFt }) })
    for (const bad of [undefined, 0, -1, 0.5, 2 ** 63, '1990', [1990], {}]) expect((await assign(bad)).status).toBe(400)
    expect((await assign(780)).status).toBe(200)
    expect(await till.money(userId)).toBe(780n)
  })

  it('one cannot be assigned to an unknown customer, and can be dismissed', async () => {
    const { userId, unmatchedId } = await unmatchedAmount({ Total: 2500 })
    expect((await call('assign-unmatched', { unmatchedId, userId: systemIds.next(), reason })).status).toBe(400)
    expect((await call('assign-unmatched', { unmatchedId, userId, reason: 'short' })).status).toBe(400)
    expect((await call('assign-unmatched', { unmatchedId, userId, amountFt: 2501, reason })).status).toBe(400)
    expect((await call('assign-unmatched', { unmatchedId: systemIds.next(), userId, reason })).status).toBe(404)
    expect((await call('assign-unmatched', { unmatchedId, userId: null, reason })).json).toEqual({
      state: 'dismissed',
      creditedFt: null,
    })
    expect(await till.money(userId)).toBe(0n)
  })

  it('T10: a second phone message becomes its customer’s money', async () => {
    const userId = await person()
    const { paymentId, providerPaymentId: code } = await till.open({ method: 'phone', amount: 1905, userId })
    for (const messageId of [`a-${code}`, `b-${code}`]) {
      const { headers, body } = phone().phone.sign(phone().phone.message({ messageId, text: `BAKTER ${code}` }))
      await till.routes().request('/payments/webhooks/phone', { method: 'POST', headers, body })
    }
    const [unmatched] = await till.unmatched(`payment_id = '${paymentId}'`)
    expect((await call('assign-unmatched', { unmatchedId: unmatched?.id, userId, reason })).status).toBe(200)
    expect(await till.money(userId)).toBe(1600n)
    expect(await till.statement(userId)).toMatchObject([{ amount: 800 }, { amount: 800 }])
  })

  it('a refund made at the provider is shown with the remaining refundable amount', async () => {
    const userId = await person()
    const opened = await till.open({ method: 'barion', amount: 5000, userId })
    rig.barion.decide(opened.providerPaymentId, 'succeed')
    await callback(opened.providerPaymentId)
    const refund = await call('refund-payment', { paymentId: opened.paymentId, amountFt: 2000, reason })
    expect(refund).toMatchObject({ status: 200, json: { state: 'succeeded' } })
    await callback(opened.providerPaymentId)
    const { items } = INTERNAL_CALLS['staff-payments'].output.parse((await call('staff-payments', { userId })).json)
    expect(items).toMatchObject([
      { standing: 'partially_refunded', refundedFt: 2000, refundableFt: 3000, refunds: [{ amountFt: 2000 }] },
    ])
    const more = await call('refund-payment', { paymentId: opened.paymentId, amountFt: 3001, reason })
    expect(more).toMatchObject({
      status: 422,
      json: { error: { code: 'REFUND_REFUSED', params: { reason: 'MORE_THAN_PAID' } } },
    })
  })
})

/** The texts that somebody may write in the place of an amount, as JSON. */
const BAD_AMOUNTS = [
  '0',
  '-1',
  'null',
  '1e309',
  '"1e3"',
  '"10,5"',
  '0.5',
  '9223372036854775808',
  '"١٢"',
  '"5000"',
  '[5000]',
  '{}',
  'true',
  'NaN',
]
/** The calls that take an amount, the field of it, and what stands around it. */
const WITH_AMOUNT: Partial<Record<InternalCallName, (amount: string) => string>> = {
  topup: (amount) =>
    `{"caller":${JSON.stringify(staff)},"returnUrl":"${RETURN_URL}","request":{"amount":${amount},"method":"barion","acceptTerms":true}}`,
  'close-dispute': (amount) =>
    `{"caller":${JSON.stringify(staff)},"paymentId":"${systemIds.next()}","outcome":"lost","reason":"${reason}","amountFt":${amount}}`,
  'refund-payment': (amount) =>
    `{"caller":${JSON.stringify(staff)},"paymentId":"${systemIds.next()}","reason":"${reason}","amountFt":${amount}}`,
  'refund-server': (amount) =>
    `{"caller":${JSON.stringify(staff)},"serverId":"${systemIds.next()}","endServer":false,"reason":"${reason}","amountFt":${amount}}`,
  'manual-credit': (amount) =>
    `{"caller":${JSON.stringify(staff)},"userId":"${systemIds.next()}","direction":"credit","bucket":"money","reason":"${reason}","amountFt":${amount}}`,
}

describe('bad amounts', () => {
  it('every call with an amount has a row of bad ones', () => {
    const takes = Object.entries(INTERNAL_CALLS).filter(([, { input }]) =>
      /"amount(Ft)?"/.test(JSON.stringify(shapeOf(input))),
    )
    // The amount of unmatched money is tested with it, as it may be left out.
    expect(takes.map(([name]) => name).sort()).toEqual(['assign-unmatched', ...Object.keys(WITH_AMOUNT)].sort())
  })

  it.each(
    Object.entries(WITH_AMOUNT).flatMap(([name, body]) => BAD_AMOUNTS.map((amount) => [name, amount, body] as const)),
  )('%s refuses %s with a clear answer and changes nothing', async (name, amount, body) => {
    const before = await till.everything()
    const { status, json } = await call(name as InternalCallName, {}, body(amount))
    expect(status).toBe(400)
    expect(json.error?.code).toMatch(/^(VALIDATION|BAD_REQUEST)$/)
    expect(await till.everything()).toEqual(before)
  })
})

/** The names of all fields of a schema, deep. */
function shapeOf(schema: unknown): unknown {
  const shape = (schema as { shape?: Record<string, unknown> }).shape
  if (!shape) return null
  return Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, shapeOf(part)]))
}
