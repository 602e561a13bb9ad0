import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres, type Database } from '#platform/postgres/database.ts'
import { listServerActivities } from '../../../control-plane/servers/activities/list-activities.ts'
import { readSharedLog } from '../../../control-plane/servers/log-shares/share-log.ts'
import { listPorts } from '../../../control-plane/servers/ports/change-ports.ts'
import { readSettings } from '../../../control-plane/servers/settings/server-settings.ts'
import { listCollaborators } from '../../../control-plane/servers/sharing/list-people.ts'
import { readStartTimes } from '../../../control-plane/servers/startup/start-times.ts'
import { readStartup } from '../../../control-plane/servers/startup/read-startup.ts'
import { listServers } from '../../../control-plane/servers/store/read-servers.ts'
import { testContext } from '../../factories/platform-database.ts'
import { callerOf } from '../../factories/shop.ts'
import { migrateToPresent, oldDumps, restoreDump } from '../../support/old-dumps.ts'

let old: Awaited<ReturnType<typeof restoreDump>>
let database: Database
let nowMs = 0
beforeAll(async () => {
  old = await restoreDump('panel')
  await migrateToPresent(old.url)
  database = openPostgres({ url: old.url, applicationName: 'test', maxConnections: 4, role: 'bakter_app' })
  nowMs = Date.parse(old.facts.madeAt) + 60_000
})
afterAll(async () => {
  await database.close()
  await old.drop()
})

const before = () => {
  const { panel, customer } = old.facts
  if (!panel) throw new Error('The dump has no panel.')
  return { panel, serverId: customer.serverId }
}
const context = () => testContext(database, { clock: { now: () => nowMs } })
/** The present answer to one person of the dump about the server of that time. */
const asked = async (username: string) => {
  const [row] = await database.query<{ id: string }>('select id from cms_api.people where username = $1', [username])
  return { caller: callerOf(row?.id ?? ''), serverId: before().serverId }
}
const asOwner = () => asked(old.facts.customer.username)

it('only a dump of a release with a panel says what its panel showed', async () => {
  const all = await Promise.all(
    oldDumps().map(async (name) => {
      const { facts, drop } = await restoreDump(name)
      await drop()
      return facts.panel === undefined ? [] : [name]
    }),
  )
  expect(all.flat()).toEqual(['panel'])
})

it('the ports of that time are the ports of today, with their notes and the primary one', async () => {
  const answer = await listPorts(context(), await asOwner())
  expect(answer).toMatchObject({ ok: true, ports: { ports: before().panel.ports, leaving: [] } })
})

it('description, time zone, time to stop and the value of a variable are kept', async () => {
  const { settings, startup } = before().panel
  expect(await readSettings(context(), await asOwner())).toMatchObject({ ok: true, settings })
  const read = await readStartup(context(), await asOwner())
  if (!read.ok) throw new Error(read.code)
  const values = read.startup.variables.map(({ environmentVariable, value }) => [environmentVariable, value])
  expect({ version: read.startup.version, values: Object.fromEntries(values) }).toEqual(startup)
})

it('a collaborator still sees the server with the same permissions, and an open invitation stays open', async () => {
  const list = await listCollaborators(context(), await asOwner())
  if (!list.ok) throw new Error(list.code)
  const shown = list.people.map(({ username, state, permissions }) => ({ username, state, permissions }))
  const byName = (one: { username: string }, other: { username: string }) => one.username.localeCompare(other.username)
  expect(shown.toSorted(byName)).toEqual(before().panel.people.toSorted(byName))
  for (const { username, state, permissions } of before().panel.people) {
    const { caller } = await asked(username)
    const servers = await listServers(context(), { caller })
    const seen = servers.find(({ id }) => id === before().serverId)
    expect(seen?.permissions.toSorted()).toEqual(state === 'active' ? permissions.toSorted() : undefined)
  }
})

it('the activities of that time are listed in their order', async () => {
  const answer = await listServerActivities(database, await asOwner())
  if (!answer.ok) throw new Error(answer.code)
  const { activities } = before().panel
  // Later ones stand above them.
  expect(answer.page.items.map(({ type }) => type).slice(-activities.length)).toEqual(activities)
})

it('the median of the starts is said', async () => {
  const answer = await readStartTimes(context(), await asOwner())
  expect(answer).toMatchObject({ ok: true, times: { usual: before().panel.usualStart } })
})

it('a shared log opens by its link, redacted, and ends when it was to end', async () => {
  const token = before().panel.sharePath.slice('/log/'.length)
  expect(await readSharedLog(context(), token)).toMatchObject({ text: 'Alex[/[ip]:51234] logged in' })
  nowMs += 7 * 24 * 3_600_000
  expect(await readSharedLog(context(), token)).toBeNull()
})
