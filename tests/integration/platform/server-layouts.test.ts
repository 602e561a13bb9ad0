import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import type { LayoutChange } from '#domain/servers/list-layout.ts'
import { changeServerLayout, readServerLayout } from '../../../control-plane/servers/store/server-layouts.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { SharedServers, type SharedPerson } from '../../factories/shared-server.ts'

let database: PlatformDatabase
let servers: SharedServers
beforeAll(async () => {
  database = await platformDatabase(30)
  servers = await SharedServers.open(database)
})
afterAll(() => database.close())

const change = (caller: SharedPerson, wish: LayoutChange) =>
  changeServerLayout(servers.context, { caller, change: wish })
const rowOf = async ({ userId }: SharedPerson) =>
  database.owner.query<{ layout: { groups: { servers: string[] }[]; loose: string[] } }>(
    'select layout from control.server_layouts where user_id = $1',
    [userId],
  )

const scene = async (count: number) => {
  const owner = await servers.person('owner')
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) ids.push((await servers.server(owner)).id)
  // Newest first, as the list is without an order of its own.
  return { owner, ids: ids.toReversed() }
}
const move = (id: string, before: string | null, groupId: string | null = null): LayoutChange => ({
  kind: 'move',
  servers: [id],
  groupId,
  before,
})

describe('the order of a person', () => {
  it('is the list’s until something is moved, then the person’s own, and new servers are at its end', async () => {
    const { owner, ids } = await scene(3)
    const [a = '', b = '', c = ''] = ids
    expect(await readServerLayout(database.db, owner)).toEqual({ groups: [], loose: ids, dense: false })
    expect(await rowOf(owner)).toEqual([])
    await change(owner, move(c, a))
    expect((await rowOf(owner))[0]?.layout.loose).toEqual([c, a, b])
    const { id: newest } = await servers.server(owner)
    expect((await readServerLayout(database.db, owner)).loose).toEqual([c, a, b, newest])
  })

  it('is nobody else’s', async () => {
    const { owner, ids } = await scene(2)
    const stranger = await servers.person('stranger')
    expect(await change(stranger, move(ids[0] ?? '', null))).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await rowOf(stranger)).toEqual([])
    await change(owner, move(ids[1] ?? '', ids[0] ?? null))
    expect((await readServerLayout(database.db, stranger)).loose).toEqual([])
  })

  it('contains shared servers for as long as they are shared', async () => {
    const { owner, ids } = await scene(1)
    const friend = await servers.person('friend')
    const { id: own } = await servers.server(friend)
    const [serverId = ''] = ids
    await servers.share(owner, { serverId, person: friend }, { permissions: ['console.read'] })
    const groupId = systemIds.next()
    await change(friend, { kind: 'addGroup', groupId, name: 'Of others', servers: [serverId] })
    expect(await readServerLayout(database.db, friend)).toMatchObject({
      groups: [{ servers: [serverId] }],
      loose: [own],
    })
    await servers.remove(owner, serverId, friend)
    expect(await readServerLayout(database.db, friend)).toMatchObject({ groups: [{ servers: [] }], loose: [own] })
    expect(await change(friend, move(serverId, null))).toEqual({ ok: false, code: 'NOT_FOUND' })
  })

  it('the owner’s groups are not those of the people with whom servers are shared', async () => {
    const { owner, ids } = await scene(1)
    const friend = await servers.person('friend')
    const [serverId = ''] = ids
    await servers.share(owner, { serverId, person: friend }, { permissions: ['console.read'] })
    await change(owner, { kind: 'addGroup', groupId: systemIds.next(), name: 'Mine', servers: [serverId] })
    expect(await readServerLayout(database.db, friend)).toMatchObject({ groups: [], loose: [serverId] })
  })
})

describe('two browsers at once', () => {
  it('lose no group and no move, from the very first change on', async () => {
    const { owner, ids } = await scene(20)
    const groups = ids.map(() => systemIds.next())
    const results = await Promise.all(
      ids.map((id, at) =>
        change(owner, { kind: 'addGroup', groupId: groups[at] ?? '', name: `group ${at}`, servers: [id] }),
      ),
    )
    expect(results.every(({ ok }) => ok)).toBe(true)
    const [row] = await rowOf(owner)
    expect(
      row?.layout.groups
        .map(({ servers: held }) => held)
        .flat()
        .toSorted(),
    ).toEqual(ids.toSorted())
    expect(row?.layout.loose).toEqual([])
    await Promise.all(ids.map((id) => change(owner, move(id, null))))
    expect((await rowOf(owner))[0]?.layout.loose.toSorted()).toEqual(ids.toSorted())
  })

  it('create one group for a call that is repeated', async () => {
    const { owner } = await scene(1)
    const wish = { kind: 'addGroup', groupId: systemIds.next(), name: 'Once', servers: [] } as const
    await Promise.all([change(owner, wish), change(owner, wish), change(owner, wish)])
    expect((await rowOf(owner))[0]?.layout.groups).toHaveLength(1)
    expect(await change(owner, { ...wish, groupId: systemIds.next() })).toEqual({ ok: false, code: 'GROUP_EXISTS' })
  })
})
