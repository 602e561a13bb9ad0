import { readFileSync } from 'node:fs'
import { sql } from '@payloadcms/db-postgres'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type CmsHarness, startCms } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

let cms: CmsHarness
beforeAll(async () => {
  cms = await startCms()
})
afterAll(() => cms.close())

const run = (statement: string) => cms.payload.db.drizzle.execute(sql.raw(statement))
const uses = async (): Promise<unknown> => {
  const list = await cms.send('administrator', 'get /coupons?depth=0')
  const one = await cms.send('administrator', `get /coupons/${cms.documents['coupons']}?depth=0`)
  const docs = list.json()['docs'] as Record<string, unknown>[]
  expect(docs[0]?.['uses']).toBe(one.json()['uses'])
  return one.json()['uses']
}

it('administrators see how often a coupon was used, and zero uses while the ledger is missing', async () => {
  expect(await uses()).toBe(0)
  // The books of the control plane, as far as the view reads them.
  await run(`do $$ begin create role bakter_app nologin; exception when others then null; end $$`)
  await run('create schema if not exists control')
  await run('create table control.coupon_reservations (coupon_id uuid, state text)')
  await run(readFileSync('control-plane/platform/migrations/0050-0099/0063_coupon_uses.sql', 'utf8'))
  expect(await uses()).toBe(0)
  const id = cms.documents['coupons']
  for (const state of ['used', 'used', 'reserved', 'released']) {
    await run(`insert into control.coupon_reservations values ('${id}', '${state}')`)
  }
  expect(await uses()).toBe(3)
})

it('no number is accepted from a form', async () => {
  const { status, json } = await cms.send('administrator', `patch /coupons/${cms.documents['coupons']}`, { uses: 77 })
  expect(status).toBe(200)
  expect((json()['doc'] as Record<string, unknown>)['uses']).toBe(3)
})
