import { afterAll, beforeAll, expect, it } from 'vitest'
import { PAYMENT_NAMED } from '../../../control-plane/money/payments/named-payment.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { shopDatabase } from '../../factories/shop.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
  await database.owner.query(
    `insert into control.payments (id, user_id, provider, provider_payment_id, amount_ft, state, return_url, terms_accepted_at, locale,
       request_id, next_check_at, created_at, updated_at)
     select gen_random_uuid(), gen_random_uuid(), 'paypal', 'ORDER' || n, 1990, 'settled', 'http://site.test/', now(), 'en', 'r',
       'infinity', now(), now() from generate_series(1, 20000) n`,
  )
  await database.owner.query(
    `insert into control.refunds (id, payment_id, user_id, provider, amount_ft, reason, requested_by, state, next_check_at, request_id,
       created_at, updated_at)
     select gen_random_uuid(), id, user_id, 'paypal', 100, 'Asked for it.', user_id, 'succeeded', 'infinity', 'r', now(), now()
     from control.payments`,
  )
  await database.owner.query('analyze control.payments, control.refunds')
})
afterAll(() => database.close())

const named = (names: readonly string[], own: readonly string[]) =>
  database.db.query<{ id: string }>(PAYMENT_NAMED, ['paypal', names, own])

it('a stranger’s query by name scans no table', async () => {
  const names = Array.from({ length: 100 }, (_, at) => `ORDER${at * 7}X`)
  const own = names.map((_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`)
  for (const [all, ours] of [
    [names, own],
    [names.slice(0, 1), []],
  ]) {
    const plan = await database.db.query<Record<string, string>>(`explain ${PAYMENT_NAMED}`, ['paypal', all, ours])
    const lines = plan.map((row) => row['QUERY PLAN'] ?? '')
    expect(lines.join('\n')).toContain('Index')
    expect(lines.filter((line) => line.includes('Seq Scan'))).toEqual([])
  }
})

it('a payment is found by its own id, the provider’s, or that of a refund', async () => {
  const [refund] = await database.owner.query<{ id: string; payment_id: string; order: string }>(
    `select f.id, f.payment_id, p.provider_payment_id as order from control.refunds f
       join control.payments p on p.id = f.payment_id limit 1`,
  )
  if (!refund) throw new Error('no refund')
  const found = { id: refund.payment_id }
  expect(await named([refund.order], [])).toEqual([found])
  expect(await named([refund.payment_id], [refund.payment_id])).toEqual([found])
  expect(await named([refund.id], [refund.id])).toEqual([found])
  expect(await named(['ORDER'], [])).toEqual([])
})
