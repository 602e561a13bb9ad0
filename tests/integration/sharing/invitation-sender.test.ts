import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Permission } from '#contracts/panel/permissions.ts'
import { SharedServers, type SharedPerson } from '../../factories/shared-server.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
let servers: SharedServers
beforeAll(async () => {
  database = await platformDatabase()
  servers = await SharedServers.open(database)
})
afterAll(() => database.close())

const READ = ['console.read'] as const
const SENDER = ['console.read', 'user.list', 'user.invite'] as const
const EDITOR = ['console.read', 'console.command', 'user.list', 'user.update'] as const

/** A friend with an invitation of somebody who may invite, and somebody who may only edit. */
const scene = async () => {
  const people = await Promise.all(['owner', 'sender', 'editor', 'friend'].map((name) => servers.person(name)))
  const [owner, sender, editor, friend] = people as [SharedPerson, SharedPerson, SharedPerson, SharedPerson]
  await servers.premium(owner, 'maximus', Date.now() + 86_400_000)
  const { id: serverId } = await servers.server(owner)
  await servers.share(owner, { serverId, person: sender }, { permissions: SENDER })
  await servers.share(owner, { serverId, person: editor }, { permissions: EDITOR })
  expect(await servers.invite(sender, serverId, { email: friend.email, permissions: READ })).toMatchObject({ ok: true })
  const edit = (person: SharedPerson, permissions: readonly Permission[], seen: readonly Permission[]) =>
    servers.change(person, { serverId, person: friend }, { permissions, seen: { permissions: seen } })
  const shown = async () =>
    (await servers.invitations(friend)).map(({ invitedBy, permissions }) => ({ invitedBy, permissions }))
  return { owner, sender, editor, friend, serverId, edit, shown }
}

it('an editor of an invitation that its sender could send like that does not become its sender', async () => {
  const { owner, sender, editor, friend, serverId, edit, shown } = await scene()
  const both = ['console.read', 'user.list'] as const
  expect(await edit(editor, both, READ)).toMatchObject({ ok: true })
  expect(await shown()).toEqual([{ invitedBy: sender.username, permissions: both }])
  // The owner's edit takes it from nobody either.
  expect(await edit(owner, READ, both)).toMatchObject({ ok: true })
  expect(await shown()).toEqual([{ invitedBy: sender.username, permissions: READ }])
  // It stays worth what its sender can give, also after the editor is gone.
  await servers.remove(owner, serverId, editor)
  expect(await servers.accept(friend, serverId)).toEqual({ ok: true })
  expect(await servers.bells(sender)).toContain('server.joined')
  expect(await servers.bells(editor)).not.toContain('server.joined')
})

it('more than the sender has is refused to an editor who may not invite, and is the invitation of one who may', async () => {
  const { owner, sender, editor, friend, serverId, edit, shown } = await scene()
  const more = ['console.command', 'console.read'] as const
  expect(await edit(editor, more, READ)).toEqual({ ok: false, code: 'MORE_THAN_OWN' })
  expect(await shown()).toEqual([{ invitedBy: sender.username, permissions: READ }])
  expect(await edit(owner, more, READ)).toMatchObject({ ok: true })
  expect(await shown()).toEqual([{ invitedBy: owner.username, permissions: more }])
  expect(await servers.accept(friend, serverId)).toEqual({ ok: true })
})
