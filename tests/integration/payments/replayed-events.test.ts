import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { barionRig } from '../../factories/provider-rigs.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { signedProviders, type Post } from '../../factories/signed-providers.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'

const LATER_MS = START_MS + 400 * DAY_MS

let database: ControlDatabase
let rig: Awaited<ReturnType<typeof signedProviders>>
beforeAll(async () => {
  database = await shopDatabase(40)
})
beforeEach(async () => {
  rig = await signedProviders(() => database)
})
afterEach(async () => {
  await rig.close()
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

type Paid = { userId: string; paymentId: string; credited: bigint; message: () => Post }

const PAID: Record<string, () => Promise<Paid>> = {
  async stripe() {
    const { userId, paymentId, providerPaymentId } = await rig.till.open({ method: 'stripe' })
    rig.stripe.books.confirm(providerPaymentId, 'pm_card_visa', 'http://site.test/back')
    const event = rig.stripe.events.findLast(({ type }) => type === 'payment_intent.succeeded')
    if (!event) throw new Error('no event')
    return { userId, paymentId, credited: 1990n, message: () => rig.stripe.message(event) }
  },
  async paypal() {
    const { userId, paymentId, providerPaymentId } = await rig.till.open({ method: 'paypal' })
    rig.paypal.books.approve(providerPaymentId, 'paid')
    const [event] = rig.paypal.events
    if (!event) throw new Error('no event')
    return { userId, paymentId, credited: 1990n, message: () => rig.paypal.message(event) }
  },
  async phone() {
    const { userId, paymentId, providerPaymentId: code } = await rig.till.open({ method: 'phone', amount: 1905 })
    const message = rig.phone().message({ messageId: `m-${systemIds.next()}`, text: `BAKTER ${code.toUpperCase()}` })
    return { userId, paymentId, credited: 800n, message: () => rig.phone().sign(message) }
  },
}

describe('case 61: repeated events', () => {
  it.each(Object.keys(PAID))('case 61: of %s, 100 times at once and after 400 days, is one credit', async (method) => {
    const paid = await PAID[method]?.()
    if (!paid) throw new Error(method)
    const { userId, paymentId, credited } = paid
    const creditedOnce = async () => {
      expect(await rig.till.money(userId)).toBe(credited)
      expect(await rig.till.postings('top-up', paymentId)).toHaveLength(1)
      expect(await rig.till.statement(userId)).toHaveLength(1)
      const told = await database.owner.query('select text from control.notifications where user_id = $1', [userId])
      expect(told).toEqual([{ text: 'topup.successful' }])
    }
    const [old, routes] = [paid.message(), rig.till.routes(() => rig.clock.nowMs)]
    const statuses = await Promise.all(Array.from({ length: 100 }, () => rig.post(method, old, routes)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    await creditedOnce()
    rig.clock.nowMs = LATER_MS
    // A message that was caught then is refused where messages grow old; one that the provider sends anew is taken and
    // changes nothing.
    expect([200, 400]).toContain(await rig.post(method, old))
    expect(await rig.post(method, paid.message())).toBe(200)
    await creditedOnce()
    // Nor does it when the note of the event, and the state of the payment, are lost: the posting has a key of its own.
    await database.owner.query('delete from control.provider_events')
    await database.owner.query(`update control.payments set state = 'pending', settled_at = null where id = $1`, [
      paymentId,
    ])
    await Promise.all(
      Array.from({ length: 10 }, () =>
        rig.post(
          method,
          paid.message(),
          rig.till.routes(() => LATER_MS),
        ),
      ),
    )
    const { money, postings } = rig.till
    expect([await money(userId), (await postings('top-up', paymentId)).length]).toEqual([credited, 1])
  })

  it('case 61: a callback of Barion, 100 times at once and after 400 days, is one credit', async () => {
    const { barion, provider } = await barionRig()
    const till = tillOf(
      () => database,
      () => [provider],
    )
    try {
      const { userId, paymentId, providerPaymentId } = await till.open({ method: 'barion' })
      barion.decide(providerPaymentId, 'succeed')
      const call = (nowMs: number) =>
        till.routes(() => nowMs).request(`/payments/webhooks/barion?paymentId=${providerPaymentId}`, { method: 'POST' })
      await Promise.all(Array.from({ length: 100 }, () => call(START_MS)))
      await call(LATER_MS)
      expect(await till.money(userId)).toBe(1990n)
      expect(await till.postings('top-up', paymentId)).toHaveLength(1)
    } finally {
      await barion.close()
    }
  })
})
