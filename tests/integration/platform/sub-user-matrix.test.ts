import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import { POWER_ACTIONS } from '#contracts/http/server.ts'
import { PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { withNeeds } from '#domain/servers/permissions.ts'
import { findServer, listServers } from '../../../control-plane/servers/store/read-servers.ts'
import { loadConsoleKey, type ConsoleKey } from '../../../control-plane/servers/access/console-keys.ts'
import { consoleToken } from '../../../control-plane/servers/access/console-token.ts'
import { filesToken } from '../../../control-plane/servers/access/files-token.ts'
import {
  changeStartup,
  changeStartupImage,
  revealSecret,
} from '../../../control-plane/servers/startup/change-startup.ts'
import { reinstallServer } from '../../../control-plane/servers/settings/reinstall-server.ts'
import { readStartup } from '../../../control-plane/servers/startup/read-startup.ts'
import { listServerActivities } from '../../../control-plane/servers/activities/list-activities.ts'
import { requestPower } from '../../../control-plane/servers/access/request-power.ts'
import { sharingPlaces } from '../../../control-plane/money/premium/sharing-places.ts'
import { changeIdentity, changeOperation } from '../../../control-plane/servers/settings/change-settings.ts'
import { readSettings } from '../../../control-plane/servers/settings/server-settings.ts'
import { changeCollaborator } from '../../../control-plane/servers/sharing/change-collaborator.ts'
import { inviteCollaborator } from '../../../control-plane/servers/sharing/invite-collaborator.ts'
import { listCollaborators } from '../../../control-plane/servers/sharing/list-people.ts'
import { seeAs } from '../../../control-plane/servers/sharing/see-as.ts'
import { removeCollaborator } from '../../../control-plane/servers/sharing/remove-collaborator.ts'
import { systemIds } from '#platform/ids.ts'
import { addNode, addServer, makeReachable, type FleetNode } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

/** Everything that exists about one server and not everybody may do who knows of it. */
const PEOPLE = ['list people', 'invite', 'change people', 'see as', 'remove people'] as const
const DEEDS = [
  ...POWER_ACTIONS,
  ...(['socket', 'files', 'download', 'ports', 'see sub-users', 'see start-up'] as const),
  ...(['read settings', 'change settings', 'change image', 'see a secret'] as const),
  ...(['rename', 'change operation', 'read activities'] as const),
  'reinstall',
  ...PEOPLE,
] as const
type Deed = (typeof DEEDS)[number]

/** Security case 37: what each permission opens, written down apart from the rules. Those without a row open nothing yet. */
const OPENS: Partial<Record<Permission, readonly Deed[]>> = {
  'control.start': ['start'],
  'control.stop': ['stop', 'kill'],
  'control.restart': ['restart'],
  'console.read': ['socket'],
  // Each of these brings the permission to see the list or the lines with it.
  'console.command': ['socket'],
  'file.list': ['files'],
  'file.read': ['files', 'download'],
  'file.create': ['files'],
  'file.update': ['files', 'download'],
  'file.compress': ['files'],
  'file.sftp': ['files'],
  'user.list': ['see sub-users', 'list people'],
  'user.invite': ['see sub-users', 'list people', 'invite'],
  'user.remove': ['see sub-users', 'list people', 'remove people'],
  'user.update': ['see sub-users', 'list people', 'change people', 'see as'],
  'allocation.view': ['ports'],
  'allocation.create': ['ports'],
  'allocation.remove': ['ports'],
  'allocation.update': ['ports'],
  'startup.view': ['see start-up', 'read settings'],
  'startup.update': ['see start-up', 'read settings', 'change settings', 'see a secret', 'change operation'],
  'startup.docker-image': ['see start-up', 'read settings', 'change image'],
  'settings.rename': ['rename'],
  'settings.reinstall': ['reinstall'],
  'activity.view': ['read activities'],
}

let database: PlatformDatabase
let node: FleetNode
let consoleKey: ConsoleKey
beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner, 'http://node.test:8080')
  await makeReachable(database.owner, node.nodeId)
  consoleKey = await loadConsoleKey(testContext(database.db), 'the secret of the control plane')
})
afterAll(() => database.close())

const as = (userId: string, isAdmin = false) => {
  const flags = { isAdmin, isSupport: false, isVerified: true }
  return { userId, sessionId: null, ...flags, locale: 'en', address: '192.0.2.1' } as const
}
type Person = Omit<ReturnType<typeof as>, 'isSupport'> & { readonly isSupport: boolean }
const other = { id: systemIds.next(), permissions: ['console.read'] }
const share = (serverId: string, { id, permissions }: { id: string; permissions: readonly string[] }) =>
  database.owner.query(
    'insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())',
    [serverId, id, permissions],
  )

/** A server for one person's deeds, shared with somebody else too. */
const newServer = async () => {
  const server = await addServer(database.owner, node.nodeId, { installed: true, state: 'running', power: 'running' })
  await share(server.id, other)
  return server
}

const powerOf = async (serverId: string, caller: Person): Promise<Deed[]> => {
  const deps = testContext(database.db)
  const done: Deed[] = []
  for (const action of POWER_ACTIONS) {
    const answer = await requestPower(deps, { caller, serverId, action, requestId: 'req-1' })
    // Past the permission, the state of the server speaks.
    if (answer.ok || !['FORBIDDEN', 'NOT_FOUND'].includes(answer.code)) done.push(action)
  }
  return done
}

/** Past the permission, the values speak: the server's template has no variables. */
const startupDeedsOf = async (serverId: string, caller: Person): Promise<Deed[]> => {
  const deps = testContext(database.db)
  const asked = { caller, serverId, requestId: 'req-1' }
  const read = await readStartup(deps, asked)
  const changed = await changeStartup(deps, { ...asked, change: { version: 0, variables: {} } })
  const image = await changeStartupImage(deps, { ...asked, change: { version: 0, image: '~game:1' } })
  const secret = await revealSecret(deps, { ...asked, variable: 'TOKEN' })
  expect([read.ok, changed.ok].every((ok) => ok || !caller.isAdmin)).toBe(true)
  return [
    ...(read.ok ? (['read settings'] as const) : []),
    ...(changed.ok ? (['change settings'] as const) : []),
    ...(!image.ok && image.code === 'IMAGE_NOT_LISTED' ? (['change image'] as const) : []),
    // The owner's answer too is that there is no such secret.
    ...(changed.ok && !secret.ok && secret.code === 'NOT_FOUND' ? (['see a secret'] as const) : []),
  ]
}

const settingsDeedsOf = async (serverId: string, caller: Person): Promise<Deed[]> => {
  const deps = testContext(database.db)
  const asked = { caller, serverId, requestId: 'req-1' }
  const read = await readSettings(deps, asked)
  if (!read.ok) return []
  const { settings: seen } = read
  const renamed = await changeIdentity(deps, { ...asked, change: { ...seen, seen } })
  const operated = await changeOperation(deps, { ...asked, change: { ...seen, seen } })
  return [...(renamed.ok ? (['rename'] as const) : []), ...(operated.ok ? (['change operation'] as const) : [])]
}

const peopleOf = async (serverId: string, caller: Person): Promise<Deed[]> => {
  const deps = testContext(database.db)
  const asked = { caller, serverId, requestId: 'req-1' }
  const sharing = { permissions: ['user.list'] as Permission[], endsAt: null }
  const seen = { permissions: ['console.read'] as Permission[], endsAt: null }
  const answers = {
    'list people': await listCollaborators(deps, asked),
    invite: await inviteCollaborator(
      { ...deps, placesOf: sharingPlaces },
      { ...asked, request: { ...sharing, email: 'nobody@example.test' } },
    ),
    'change people': await changeCollaborator(deps, { ...asked, userId: other.id, request: { ...seen, seen } }),
    'see as': await seeAs(deps, { ...asked, userId: other.id }),
    'remove people': await removeCollaborator(deps, { ...asked, userId: other.id }),
  }
  // Past the permission, the people of the server speak.
  return PEOPLE.filter((deed) => {
    const answer = answers[deed]
    return answer.ok || !['FORBIDDEN', 'NOT_FOUND'].includes(answer.code)
  })
}

const deedsOf = async (serverId: string, caller: Person): Promise<Deed[] | undefined> => {
  const deps = testContext(database.db)
  const seen = await findServer(deps, { caller, serverId })
  const token = await consoleToken({ ...deps, consoleKey }, { caller, serverId })
  const done = await powerOf(serverId, caller)
  if (!seen) {
    expect([token, done, await peopleOf(serverId, caller)]).toEqual([{ ok: false, code: 'NOT_FOUND' }, [], []])
    return undefined
  }
  if (token.ok) {
    done.push('socket')
    // The node lets through what the token says, and the token says what the site is told.
    expect(decodeJwt(token.value.token)['permissions']).toEqual(seen.permissions)
  }
  for (const request of [{ purpose: 'files' }, { purpose: 'download', path: 'world' }, { purpose: 'ports' }] as const) {
    const access = await filesToken({ ...deps, consoleKey }, { caller, serverId, request })
    if (!access.ok) {
      expect(access.code).toBe('FORBIDDEN')
      continue
    }
    done.push(request.purpose)
    // The node asks every token but that of a download for the permission of each call.
    const { permissions, path } = decodeJwt(access.value.token)
    expect([permissions, path]).toEqual(
      request.purpose === 'download' ? [undefined, 'world'] : [seen.permissions, undefined],
    )
  }
  if (seen.subusers.length > 0) done.push('see sub-users')
  const startup = [seen.startup !== '', seen.variables.length > 0].some(Boolean)
  if (startup) done.push('see start-up')
  const log = await listServerActivities(database.db, { caller, serverId })
  const request = { name: 'another name', files: 'keep' } as const
  const again = await reinstallServer(deps, { caller, serverId, requestId: 'req-1', request })
  return [
    ...done,
    ...(await startupDeedsOf(serverId, caller)),
    ...(await settingsDeedsOf(serverId, caller)),
    ...(log.ok ? (['read activities'] as const) : []),
    // Past the permission, the running power action and the name speak.
    ...(again.ok || !['FORBIDDEN', 'NOT_FOUND'].includes(again.code) ? (['reinstall'] as const) : []),
    ...(await peopleOf(serverId, caller)),
  ]
}

describe('a sub-user has exactly the ticked permissions', () => {
  it('every existing call about one server has a row', () => {
    const calls = Object.keys(API_ROUTES).filter((name) => name.includes(' /api/server/{id}'))
    expect(calls.toSorted()).toEqual([
      // Those of shared logs: tests/integration/platform/log-shares.test.ts.
      'DELETE /api/server/{id}/log-shares/{shareId}',
      // Those of ports: tests/integration/platform/ports.test.ts.
      'DELETE /api/server/{id}/ports/{portId}',
      'DELETE /api/server/{id}/users/{userId}',
      'GET /api/server/{id}',
      'GET /api/server/{id}/activities',
      // tests/integration/platform/described-files.test.ts.
      'GET /api/server/{id}/described-files',
      // tests/integration/platform/known-errors.test.ts.
      'GET /api/server/{id}/known-errors',
      'GET /api/server/{id}/log-shares',
      // Those of the owner alone: tests/integration/renewals/renew-server.test.ts.
      'GET /api/server/{id}/packages',
      'GET /api/server/{id}/ports',
      'GET /api/server/{id}/renewal',
      'GET /api/server/{id}/settings',
      'GET /api/server/{id}/sharing',
      'GET /api/server/{id}/size',
      // tests/integration/platform/start-times.test.ts.
      'GET /api/server/{id}/starts',
      'GET /api/server/{id}/startup',
      'GET /api/server/{id}/users',
      'GET /api/server/{id}/ws',
      'PATCH /api/server/{id}/ports/{portId}',
      'POST /api/server/{id}/archive',
      'POST /api/server/{id}/conversion',
      'POST /api/server/{id}/conversion/quote',
      'POST /api/server/{id}/log-shares',
      'POST /api/server/{id}/modification',
      'POST /api/server/{id}/modification/quote',
      'POST /api/server/{id}/package',
      'POST /api/server/{id}/package/keep',
      'POST /api/server/{id}/ports',
      'POST /api/server/{id}/ports/{portId}/check',
      'POST /api/server/{id}/ports/{portId}/primary',
      'POST /api/server/{id}/power',
      'POST /api/server/{id}/reinstall',
      'POST /api/server/{id}/renew',
      'POST /api/server/{id}/startup/secret',
      'POST /api/server/{id}/token',
      'POST /api/server/{id}/users',
      'POST /api/server/{id}/users/{userId}/see-as',
      'POST /api/server/{id}/visit',
      'PUT /api/server/{id}/auto-renewal',
      'PUT /api/server/{id}/settings/identity',
      'PUT /api/server/{id}/settings/operation',
      'PUT /api/server/{id}/startup',
      'PUT /api/server/{id}/startup/image',
      'PUT /api/server/{id}/users/{userId}',
    ])
  })

  it.each(PERMISSIONS)('%s', async (permission) => {
    const { id } = await newServer()
    const user = systemIds.next()
    await share(id, { id: user, permissions: withNeeds([permission]) })
    expect(await deedsOf(id, as(user))).toEqual(OPENS[permission] ?? [])
    const [listed] = await listServers(testContext(database.db), { caller: as(user) })
    expect([listed?.id, listed?.permissions]).toEqual([id, withNeeds([permission])])
    const isListed = (deed: Deed) => (OPENS[permission] ?? []).includes(deed)
    expect([listed?.subusers.length !== 0, listed?.startup !== '']).toEqual([
      isListed('see sub-users'),
      isListed('see start-up'),
    ])
  })
})

describe('others than sub-users', () => {
  it('owner and administrators have all permissions, for all others the server does not exist', async () => {
    const server = await newServer()
    expect(await deedsOf(server.id, as(server.ownerId))).toEqual(DEEDS)
    expect(await deedsOf((await newServer()).id, as(systemIds.next(), true))).toEqual(DEEDS)
    expect(await deedsOf(server.id, as(systemIds.next()))).toBeUndefined()
    expect(await deedsOf(server.id, { ...as(systemIds.next()), isSupport: true })).toBeUndefined()
  })

  it('a share without a tick, or with unknown ticks, shows only the server itself', async () => {
    for (const permissions of [[], ['*', 'root', 'control']]) {
      const { id } = await newServer()
      const user = systemIds.next()
      await share(id, { id: user, permissions })
      expect(await deedsOf(id, as(user))).toEqual([])
    }
  })
})
