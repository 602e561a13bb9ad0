import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { CollaboratorList } from '../../src/contracts/http/panel/collaborators.ts'
import { LogShareCreated } from '../../src/contracts/http/panel/log-share.ts'
import { ServerPort, ServerPorts } from '../../src/contracts/http/panel/ports.ts'
import { ServerSettings } from '../../src/contracts/http/panel/server-settings.ts'
import { ServerStartup } from '../../src/contracts/http/panel/startup.ts'
import { StartTimes } from '../../src/contracts/http/panel/start-times.ts'
import { Server } from '../../src/contracts/http/server.ts'
import { waitFor } from './wait-for.ts'

type Ask = (path: string, body?: object, method?: string) => Promise<Record<string, unknown>>
type Panel = { readonly ask: Ask; readonly serverId: string }

const SHARED_TEXT = 'Alex[/203.0.113.7:51234] logged in'
const PERMISSIONS = ['console.read', 'control.start', 'file.list']
/** A median is said from the third start on. */
const STARTS = 3

/** The facts about a panel that has been used, as its pages showed them. */
export const PanelFacts = z.object({
  identifier: z.string(),
  ports: z.array(ServerPort.pick({ port: true, note: true, isPrimary: true })),
  settings: ServerSettings.pick({ name: true, description: true, timeZone: true, stopTimeoutS: true }),
  startup: ServerStartup.pick({ version: true }).extend({ values: z.record(z.string(), z.string().nullable()) }),
  people: z.array(z.object({ username: z.string(), state: z.string(), permissions: z.array(z.string()) })),
  usualStart: StartTimes.shape.usual.unwrap(),
  sharePath: z.string(),
  activities: z.array(z.string()),
})
export type PanelFacts = z.infer<typeof PanelFacts>

const at = ({ serverId }: Panel, part = '') => `/api/server/${serverId}${part}`

const isRunning = (panel: Panel) =>
  waitFor('the running server', async () => Server.parse(await panel.ask(at(panel))).status === 'running', 240_000)

async function startOften(panel: Panel): Promise<void> {
  await isRunning(panel)
  const usual = async () => StartTimes.parse(await panel.ask(at(panel, '/starts'))).usual
  for (let starts = 0; starts < STARTS && (await usual()) === null; starts += 1) {
    await panel.ask(at(panel, '/power'), { action: 'restart' })
    await waitFor('the end', async () => Server.parse(await panel.ask(at(panel))).status !== 'running', 60_000)
    await isRunning(panel)
  }
  await waitFor('the median', async () => (await usual()) !== null, 60_000)
}

async function changePorts(panel: Panel): Promise<void> {
  const { ports } = ServerPorts.parse(await panel.ask(at(panel, '/ports'), { note: 'Voice chat' }))
  const added = ports.find(({ isPrimary }) => !isPrimary)
  await panel.ask(at(panel, `/ports/${added?.id}/primary`), {})
}

async function changeSettings(panel: Panel): Promise<void> {
  const seen = ServerSettings.parse(await panel.ask(at(panel, '/settings')))
  const { name, description, timeZone, autoStart, stopTimeoutS } = seen
  const identity = { name, description: 'From before,\nin two lines', seen: { name, description } }
  await panel.ask(at(panel, '/settings/identity'), identity, 'PUT')
  const operation = { timeZone: 'Asia/Tokyo', autoStart, stopTimeoutS: 25, seen: { timeZone, autoStart, stopTimeoutS } }
  await panel.ask(at(panel, '/settings/operation'), operation, 'PUT')
  const { version } = ServerStartup.parse(await panel.ask(at(panel, '/startup')))
  await panel.ask(at(panel, '/startup'), { version, variables: { MAIN_FILE: 'later.js' } }, 'PUT')
}

/** Uses every page of a server's panel: starts, ports, settings, start-up, people, a shared log. */
export async function usePanel(
  panel: Panel,
  guest: { readonly ask: Ask; readonly email: string; readonly pendingEmail: string },
): Promise<PanelFacts> {
  await startOften(panel)
  await changePorts(panel)
  await changeSettings(panel)
  for (const email of [guest.email, guest.pendingEmail])
    await panel.ask(at(panel, '/users'), { email, permissions: PERMISSIONS })
  await guest.ask(`/api/user/invitations/${panel.serverId}/accept`, {})
  const { path } = LogShareCreated.parse(await panel.ask(at(panel, '/log-shares'), { text: SHARED_TEXT, hours: 168 }))
  return factsOf(panel, path)
}

async function factsOf(panel: Panel, sharePath: string): Promise<PanelFacts> {
  const read = (part?: string) => panel.ask(at(panel, part))
  const startup = ServerStartup.parse(await read('/startup'))
  const values = startup.variables.map(({ environmentVariable, value }) => [environmentVariable, value] as const)
  const people = CollaboratorList.parse(await read('/users'))
  const activities = z.object({ items: z.array(z.object({ type: z.string() })) }).parse(await read('/activities'))
  return PanelFacts.parse({
    identifier: Server.parse(await read()).identifier,
    ports: ServerPorts.parse(await read('/ports')).ports,
    settings: await read('/settings'),
    startup: { version: startup.version, values: Object.fromEntries(values) },
    people,
    usualStart: StartTimes.parse(await read('/starts')).usual,
    sharePath,
    activities: activities.items.map(({ type }) => type),
  })
}

/** The folders of servers as this release's agent leaves them, without the customers' files, consoles and figures. */
export function keepAgentState(agentFolder: string, into: string): void {
  rmSync(into, { recursive: true, force: true })
  const servers = join(agentFolder, 'servers')
  for (const identifier of readdirSync(servers)) {
    const state = join(servers, identifier, 'state')
    for (const name of readdirSync(state).filter((file) => ['identity.json', 'server.json'].includes(file)))
      cpSync(join(state, name), join(into, 'servers', identifier, 'state', name))
  }
}
