import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTROL_API_VIEWS } from '../../../src/contracts/control-api/rows.ts'
import { openAccountWorld, type AccountWorld } from '../../factories/account-world.ts'
import { systemIds } from '#platform/ids.ts'

let world: AccountWorld
beforeAll(async () => {
  world = await openAccountWorld()
  await world.beat()
  const owner = await world.person()
  const server = await world.rent(owner.userId)
  await world.share(server.id, systemIds.next(), ['control.start'])
  await world.credit(owner.userId, 1_000n)
  await world.tell(owner.userId, { amount: 1_000 })
  await world.control.query(
    `insert into control.premium_purchases (id, user_id, tier, price_ft, spins, started_at, expires_at, request_id)
     values ($1, $2, 'maximus', 990, 1, now(), now() + interval '30 days', 'r')`,
    [systemIds.next(), owner.userId],
  )
  await world.control.query('insert into control.spin_accounts (user_id, granted) values ($1, 1)', [owner.userId])
  await world.control.query(`insert into control.votes values ($1, $2, 'option', now())`, [
    systemIds.next(),
    owner.userId,
  ])
  await world.control.query(
    `insert into control.push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at, seen_at)
     values ($1, $2, $1, 'https://push.test/canary', 'canary', 'canary', now(), now())`,
    [systemIds.next(), owner.userId],
  )
})
afterAll(() => world.close())

const site = () => world.site.context.db

describe('schema control_api', () => {
  it('schema control_api has the views of the contract and nothing else', async () => {
    const rows = await site().query<{ name: string; type: string }>(
      `select table_name as name, table_type as type from information_schema.tables where table_schema = 'control_api' order by 1`,
    )
    expect(rows).toEqual(
      Object.keys(CONTROL_API_VIEWS)
        .sort()
        .map((name) => ({ name, type: 'VIEW' })),
    )
  })

  it.each(Object.entries(CONTROL_API_VIEWS))('%s has the columns of its row schema', async (view, schema) => {
    const rows = await site().query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'control_api' and table_name = $1`,
      [view],
    )
    expect(rows.map((row) => row.name).sort()).toEqual(Object.keys(schema.shape).sort())
  })

  it.each(Object.entries(CONTROL_API_VIEWS))('%s gives rows in the form of the contract', async (view, schema) => {
    const rows = await site().query<Record<string, unknown>>(`select * from control_api.${view}`)
    expect(rows).not.toEqual([])
    for (const row of rows) expect(schema.strict().safeParse(row)).toMatchObject({ success: true })
  })

  it.each(Object.keys(CONTROL_API_VIEWS))('%s tells nothing of what opens a browser for pushes', async (view) => {
    expect(JSON.stringify(await site().query(`select * from control_api.${view}`))).not.toContain('canary')
  })

  it('its views depend only on tables of the control plane, so that no CMS migration is blocked', async () => {
    const rows = await site().query<{ schema: string }>(
      `select distinct table_schema as schema from information_schema.view_table_usage where view_schema = 'control_api'`,
    )
    expect(rows).toEqual([{ schema: 'control' }])
  })

  it('the control plane’s own role reads them and cannot write them', async () => {
    await expect(world.control.query('select * from control_api.servers')).resolves.toHaveLength(1)
    await expect(world.control.query('delete from control_api.notifications')).rejects.toThrow('permission denied')
  })
})
