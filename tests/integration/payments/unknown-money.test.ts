import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import { systemIds } from '#platform/ids.ts'
import type { Logger } from '#platform/logger.ts'
import type { ObservedPayment } from '../../../control-plane/money/payments/payment-provider.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { paymentContext } from '../../factories/till.ts'
import { hintOf, observation, toldProvider } from '../../factories/told-provider.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
})
afterAll(() => database.close())

/** Hints at a payment of which the provider says this; answers the alarms that were raised. */
async function hinted(id: string, observed: ObservedPayment | null): Promise<unknown[]> {
  const alarms: unknown[] = []
  const log: Logger = {
    info() {},
    warn() {},
    debug() {},
    child: () => log,
    error: (fields) => void alarms.push(fields),
  }
  const told = toldProvider({ fetchState: () => Promise.resolve(observed) })
  const context = { ...paymentContext(database.db, { providers: { all: [told], find: () => told } }), log }
  await Promise.all(Array.from({ length: 5 }, () => receiveHint(context, hintOf(id))))
  await receiveHint(context, hintOf(id))
  return alarms
}
const rowsOf = (id: string) =>
  database.owner.query(
    'select problem, state, user_id from control.unmatched_payments where provider_payment_id = $1',
    [id],
  )
const postings = () => database.owner.query('select 1 from control.ledger_transactions')

describe('case 63: money without a payment of ours', () => {
  it.each<[string, string | null]>([
    ['names nobody', null],
    ['names a payment that never was', systemIds.next()],
    ['names something else', "'; drop table control.payments; --"],
  ])('case 63: money that %s is stored with one alarm, and nobody is credited', async (_name, reference) => {
    const id = `unknown-${systemIds.next()}`
    expect(await hinted(id, observation({ reference }))).toMatchObject([
      { problem: 'UNKNOWN_PAYMENT', paymentId: null },
    ])
    expect(await rowsOf(id)).toEqual([{ problem: 'UNKNOWN_PAYMENT', state: 'open', user_id: null }])
    expect(await postings()).toEqual([])
  })

  it.each<[string, ObservedPayment | null]>([
    ['does not know', null],
    ['waits for', observation({ state: 'pending' })],
    ['has refused', observation({ state: 'failed' })],
  ])('case 63: an event that the provider %s leaves no row', async (_name, observed) => {
    const id = `unknown-${systemIds.next()}`
    expect(await hinted(id, observed)).toEqual([])
    expect(await rowsOf(id)).toEqual([])
    expect(await postings()).toEqual([])
  })
})
