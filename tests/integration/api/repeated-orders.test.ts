import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { moneyApi } from '../../factories/money-api.ts'
import { balanceOf, credit, openShop, shopDatabase, type Shop } from '../../factories/shop.ts'
import { paymentContext } from '../../factories/till.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite, type OpenSite } from '../../support/site-routes.ts'

/** The two programs share this secret in the tests of the site. */
const SECRET = 'internal secret of the tests'

let database: ControlDatabase
let shop: Shop
let controlPlane: Server
let site: OpenSite
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner, { portCount: 3 })
  const api = moneyApi(paymentContext(database.db), SECRET)
  controlPlane = createServer(getRequestListener(api.fetch))
  controlPlane.listen(0, '127.0.0.1')
  await once(controlPlane, 'listening')
  site = await openSite(`http://127.0.0.1:${(controlPlane.address() as AddressInfo).port}`)
})
afterAll(async () => {
  await site.close()
  controlPlane.close()
  await database.close()
})

async function customer(username: string, amountFt: bigint) {
  const person = { username, email: `${username}@example.test`, password: PASSWORD, passwordConfirm: PASSWORD }
  await site.ask('POST /api/auth/register', { body: { ...person, acceptTerms: true } })
  await site.identity.db.query('update users set verified = true where username = $1', [username])
  const login = await site.ask('POST /api/auth/login', { body: { username, password: PASSWORD } })
  const headers = { authorization: `Bearer ${TokenAnswer.parse(login.json).access_token}` }
  const me = await site.ask('GET /api/user/me', { headers })
  const userId = String(me.json['id'])
  await credit(database.db, { userId, amountFt })
  const order = (key?: string) => {
    const body = { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'Mine' }
    const keyed = key === undefined ? headers : { ...headers, 'idempotency-key': key }
    return site.ask('POST /api/orders', { headers: keyed, body })
  }
  const orders = () => database.owner.query('select id from control.orders where user_id = $1', [userId])
  return { userId, order, orders }
}

const times = <Result>(count: number, run: (at: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => run(at)))

describe('T23: a repeatedly sent order', () => {
  test('with one key it is one order, and every response is that order or says that it is in progress', async () => {
    const { userId, order, orders } = await customer('impatient', 50_000n)
    const answers = await times(30, () => order('one-key-of-a-browser'))
    const made = answers.filter(({ status }) => status === 201)
    const others = answers.filter(({ status }) => status !== 201)
    expect(made.length).toBeGreaterThan(0)
    expect(new Set(made.map(({ json }) => JSON.stringify(json)))).toHaveLength(1)
    expect(others.map(({ status, json }) => [status, json['error']])).toEqual(
      others.map(() => [409, expect.objectContaining({ code: 'IN_PROGRESS' })]),
    )
    expect(await orders()).toHaveLength(1)
    expect(await balanceOf(database.db, userId)).toMatchObject({ held: 990n })
  })

  test('without a key it is refused; with separate keys it is bounded by the limits and the remaining capacity', async () => {
    const { userId, order, orders } = await customer('greedy', 50_000n)
    // An account may send 30 at once, and one more every two seconds.
    vi.spyOn(site.identity.clock, 'now').mockReturnValue(Date.now())
    const bare = await times(5, () => order())
    expect(bare.map(({ status, json }) => [status, json['error']])).toEqual(
      bare.map(() => [400, expect.objectContaining({ code: 'IDEMPOTENCY_KEY_MISSING' })]),
    )
    expect(await orders()).toHaveLength(0)
    const answers = await times(40, (at) => order(`another-key-${at}`))
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    // The node has three ports, and somebody has the first of them.
    expect([count(201), count(429)]).toEqual([2, 15])
    expect(await orders()).toHaveLength(2)
    expect(await balanceOf(database.db, userId)).toMatchObject({ held: 1980n })
  })
})
