import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServerActivityPage } from '#contracts/http/panel/server-activity.ts'
import { systemIds } from '#platform/ids.ts'
import { addServer } from '../../factories/fleet.ts'
import { openConnectedSite, type ConnectedSite, type Visitor } from '../../factories/connected-site.ts'

const PICTURE = 'm'.repeat(32)
const NAME = 'GET /api/server/{id}/activities'
let rig: ConnectedSite
let [owner, member, stranger, admin] = [] as unknown as Visitor[]
let serverId = ''

beforeAll(async () => {
  rig = await openConnectedSite()
  ;[owner, member, stranger] = [await rig.visit(), await rig.visit(), await rig.visit()]
  admin = await rig.visit({ isAdmin: true })
  const [node] = await rig.database.owner.query<{ id: string }>('select id from control.nodes limit 1')
  serverId = (await addServer(rig.database.owner, node?.id ?? '', { ownerId: owner?.userId ?? '' })).id
  for (const [n, each] of [owner, member, admin].entries()) {
    await rig.database.owner.query(
      `insert into cms_api.people (id, username, identifier, email, verified, language, invoice_type, is_admin, is_support)
       values ($1, $2, 'acdefghj', $3, true, 'en', 'receipt', $4, false)`,
      [each?.userId, `visitor ${n}`, `canary${n}@example.test`, each === admin],
    )
    await rig.database.owner.query(
      `insert into control.activities (id, user_id, server_id, ip_address, type, status, detail, created_at, way)
       values ($1, $2, $3, $4, 'server:file.write', 'success', '{"text": "a.txt"}', now() - $5 * interval '1 minute', 'panel')`,
      [systemIds.next(), each?.userId, serverId, `192.0.2.${n + 1}`, n],
    )
  }
  await rig.database.owner.query(
    `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{activity.view}', now())`,
    [serverId, member?.userId],
  )
  await rig.site.identity.db.query(
    `insert into identity.profile_pictures (user_id, id, bytes, created_at) values ($1, $2, '\\x00', now())`,
    [member?.userId, PICTURE],
  )
})
afterAll(() => rig.close())

const ask = (visitor: Visitor | undefined, search = '', id = serverId) =>
  rig.site.ask(NAME, { headers: visitor?.headers ?? {}, id, search })
const pageOf = async (visitor: Visitor | undefined, search = '') => {
  const { status, json } = await ask(visitor, search)
  expect(status).toBe(200)
  return ServerActivityPage.parse(json)
}

test('every reader gets the same entries through both programs, and addresses only where they may see them', async () => {
  const addresses = async (visitor: Visitor | undefined) =>
    (await pageOf(visitor)).items.map(({ ipAddress }) => ipAddress)
  expect(await addresses(owner)).toEqual(['192.0.2.1', null, null])
  expect(await addresses(member)).toEqual([null, '192.0.2.2', null])
  expect(await addresses(admin)).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3'])
  const { bytes } = await ask(member)
  expect(bytes.toString()).not.toMatch(/192\.0\.2\.[13]|canary|"sees"/)
})

test('people have the pictures that their accounts have, and paths need the permission to list files', async () => {
  const { items, people } = await pageOf(member)
  expect(people.map(({ pictureId }) => pictureId).toSorted()).toEqual([PICTURE, null, null])
  expect(items.map(({ detail, missing }) => [detail, missing])).toEqual(
    Array.from({ length: 3 }, () => ['', 'file.list']),
  )
})

test('the query filters and pages, and one that is none is refused by its field', async () => {
  const first = await pageOf(owner, '?limit=2')
  expect(first.items).toHaveLength(2)
  const rest = await pageOf(owner, `?limit=2&before=${first.next}`)
  expect([rest.items.length, rest.next, rest.people]).toEqual([1, null, []])
  expect((await pageOf(owner, `?who=${member?.userId}`)).items).toHaveLength(1)
  expect((await pageOf(owner, '?group=console')).items).toEqual([])
  for (const [search, field] of [
    ['?group=nonsense', 'group'],
    ['?who=nobody', 'who'],
    ['?from=yesterday', 'from'],
    ['?limit=0', 'limit'],
    ['?types=%27%20or%201', 'types'],
  ]) {
    const { status, json } = await ask(owner, search)
    expect([search, status]).toEqual([search, 400])
    expect(JSON.stringify(json)).toContain(`"${field}"`)
  }
})

test('a stranger gets 404 as for an unknown server, a member without the permission 403 with its name', async () => {
  const [strange, unknown] = [await ask(stranger), await ask(owner, '', systemIds.next())]
  expect([strange.status, unknown.status]).toEqual([404, 404])
  expect({ ...(strange.json['error'] as object), requestId: '' }).toEqual({
    ...(unknown.json['error'] as object),
    requestId: '',
  })
  await rig.database.owner.query(`update control.server_users set permissions = '{file.list}' where user_id = $1`, [
    member?.userId,
  ])
  const { status, bytes } = await ask(member)
  expect(status).toBe(403)
  expect(bytes.toString()).not.toContain('a.txt')
})
