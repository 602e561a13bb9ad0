import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import { EXPIRY_MS, openExpiring } from '../../factories/expiring-servers.ts'

let expiring: Awaited<ReturnType<typeof openExpiring>>
beforeAll(async () => {
  expiring = await openExpiring()
})
beforeEach(() => expiring.rest())
afterEach(async () => {
  expect(await expiring.database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => expiring.database.close())

const expiringIn = (serverId: string, days: number) =>
  expiring.database.owner.query('update control.servers set expires_at = $2 where id = $1', [
    serverId,
    new Date(EXPIRY_MS + days * DAY_MS),
  ])
const runDays = async () => {
  for (const days of [7, 3, 1, 0.5]) await expiring.runAt(EXPIRY_MS - days * DAY_MS)
}

it('with two automatic renewals and money for one, the owner is reminded of the other days ahead', async () => {
  const [first] = await expiring.ownerOf(2, { restFt: 990n })
  await runDays()
  expect((await expiring.toldTo(first ?? { userId: '' })).toSorted()).toEqual([
    'purchase.success',
    'renewal.missing',
    'server.expiring 1',
    'server.expiring 3',
    'server.expiring 7',
  ])
})

it('with money for both nobody is reminded', async () => {
  const [first] = await expiring.ownerOf(2, { restFt: 1980n })
  await runDays()
  expect(await expiring.toldTo(first ?? { userId: '' })).toEqual(['purchase.success', 'purchase.success'])
})

it('an earlier renewal takes the money of a later one, and not the other way round', async () => {
  const [early, late] = await expiring.ownerOf(2, { restFt: 990n })
  if (!early || !late) throw new Error('two servers were asked for')
  await expiringIn(early.serverId, -2)
  await expiring.runAt(EXPIRY_MS - 9 * DAY_MS)
  expect(await expiring.toldTo(early)).toEqual([])
  await expiring.runAt(EXPIRY_MS - 7 * DAY_MS)
  expect(await expiring.toldTo(late)).toEqual(['server.expiring 7'])
})

it('a server without automatic renewal reserves no money', async () => {
  const [auto, byHand] = await expiring.ownerOf(2, { restFt: 990n })
  if (!auto || !byHand) throw new Error('two servers were asked for')
  await expiring.database.owner.query('update control.servers set auto_renew = false where id = $1', [byHand.serverId])
  await expiringIn(byHand.serverId, -0.5)
  await expiringIn(auto.serverId, 20)
  await expiring.runAt(EXPIRY_MS + 13 * DAY_MS)
  const told = `select 1 from control.lifetime_notices where server_id = $1 and kind like 'remind%'`
  expect(await expiring.database.owner.query(told, [auto.serverId])).toEqual([])
})
