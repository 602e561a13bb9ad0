import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerStartup } from '#contracts/http/panel/startup.ts'
import { systemIds } from '#platform/ids.ts'
import { pidsWithEnvironment } from '../../../agents/platform/process-identity.ts'
import { addServer } from '../../factories/fleet.ts'
import { buildServerSpec } from '../../factories/server-spec.ts'
import { callInternal, type EnrolledAgent } from '../../support/enrolled-agent.ts'
import { openEnrolledFleet, type EnrolledFleet } from '../../support/enrolled-fleet.ts'
import { waitFor } from '../../support/wait-for.ts'

const IDENTIFIER = 'acdefghf'
const text = (en: string) => ({ en, hu: en, de: en })
const variable = (environmentVariable: string, preset: string, more = {}) => ({
  name: text(environmentVariable),
  default: preset,
  environmentVariable,
  editable: true,
  ...more,
})

let fleet: EnrolledFleet
let agent: EnrolledAgent
let serverId: string
beforeAll(async () => {
  fleet = await openEnrolledFleet()
  agent = await fleet.startAgent()
  const templateId = systemIds.next()
  const variables = [
    variable('MOTD', 'Hello'),
    variable('LEVEL', '1', { rules: 'required|integer|max:9' }),
    variable('MAIN_PORT', '', { port: 0 }),
  ]
  await fleet.database.owner.query(
    `insert into cms_api.templates (id, slug, name, description, runtimes, startup_argv, variables)
     values ($1, 'game', 'Game', $2, '{process}', '{node}', $3)`,
    [templateId, JSON.stringify(text('Game')), JSON.stringify(variables)],
  )
  const {
    id: _id,
    generation: _generation,
    ...spec
  } = buildServerSpec({
    identifier: IDENTIFIER,
    environment: { GAME_PORT: '0', MOTD: 'Hello', LEVEL: '1' },
    startup: { argv: ['node', '{{program:test-game}}', '--motd={{env:MOTD}}', '{{server.build.env.LEVEL}}'] },
  })
  serverId = (await addServer(fleet.database.owner, agent.nodeId, { power: 'running', spec })).id
  await fleet.database.owner.query('update control.servers set template_id = $2 where id = $1', [serverId, templateId])
})
afterAll(async () => {
  await agent.agent.process.stop(20_000)
  await fleet.close()
})

/** Environment and arguments of the server's own program, as the kernel has them. */
const programOf = () => {
  const home = path.join(agent.data, 'servers', IDENTIFIER, 'root')
  for (const pid of pidsWithEnvironment(`HOME=${home}`)) {
    const parts = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    if (!parts.some((part) => part.startsWith('--motd='))) continue
    const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return { arguments: parts.slice(-2), environment: new Set(lines), pid }
  }
  return undefined
}
const settings = () => callInternal<ServerStartup>(fleet.plane, 'server-startup', { serverId })
/** The state, and the end of every command: the state is told first. */
const settled = (state: string) =>
  waitFor(`the server to be ${state}`, async () => {
    const open = await fleet.database.owner.query(
      `select 1 from control.commands where server_id = $1 and state in ('pending', 'accepted')`,
      [serverId],
    )
    return open.length === 0 && (await fleet.stateOf(serverId)) === state
  })

test(
  'a saved variable waits for the restart of the running program, and is what it then runs with',
  { timeout: 240_000 },
  async () => {
    await settled('running')
    const before = programOf()
    expect(before?.arguments).toEqual(['--motd=Hello', '1'])
    expect((await settings()).running).toEqual({ variables: [], image: false, rest: false })

    // Text that a shell, a template or the panel would read: here it is one argument and one value.
    const hostile = `"; touch pwned #$(id)\`id\` {{config.token}} {{env:HOME}} \${HOME} --eval`
    const change = { version: 0, variables: { MOTD: hostile, LEVEL: '9', MAIN_PORT: 'primary' } }
    const saved = await callInternal<ServerStartup>(fleet.plane, 'change-startup', { serverId, change })
    expect(saved.running?.variables.toSorted()).toEqual(['LEVEL', 'MAIN_PORT', 'MOTD'])
    await waitFor('the node to have it', async () => {
      const [row] = await fleet.database.owner.query<{ observed_generation: number }>(
        'select observed_generation from control.server_state where server_id = $1',
        [serverId],
      )
      return row?.observed_generation === 2
    })
    // The change alone touches nothing that runs.
    expect(programOf()).toEqual(before)
    expect((await settings()).running?.variables).toHaveLength(3)

    await callInternal(fleet.plane, 'power', { serverId, action: 'restart' })
    // One look at a time: between two of them the old program ends.
    const after = await waitFor('another program', () => {
      const program = programOf()
      return program?.pid === before?.pid ? undefined : program
    })
    expect(after.arguments).toEqual([`--motd=${hostile}`, '9'])
    const port = buildServerSpec().allocations[0]?.port
    expect([`MOTD=${hostile}`, 'LEVEL=9', `MAIN_PORT=${port}`].map((line) => after.environment.has(line))).toEqual([
      true,
      true,
      true,
    ])
    // Until the node's word of the restart arrives, the state is that of the old program.
    await waitFor('the word of the restart', async () => (await settings()).running?.variables.length === 0)
    await settled('running')
    expect((await settings()).running).toEqual({ variables: [], image: false, rest: false })
  },
)

test(
  'a change that is taken back waits for nothing, and a stopped server has nothing to wait for',
  { timeout: 240_000 },
  async () => {
    const change = { version: 1, variables: { LEVEL: '3' } }
    await callInternal<ServerStartup>(fleet.plane, 'change-startup', { serverId, change })
    expect((await settings()).running?.variables).toEqual(['LEVEL'])
    await callInternal<ServerStartup>(fleet.plane, 'change-startup', {
      serverId,
      change: { version: 2, variables: { LEVEL: '9' } },
    })
    expect((await settings()).running).toEqual({ variables: [], image: false, rest: false })

    await callInternal(fleet.plane, 'power', { serverId, action: 'stop' })
    await settled('offline')
    expect((await settings()).running).toBeNull()
    const rows = await fleet.database.owner.query(
      'select running_generation, started_with from control.server_state where server_id = $1',
      [serverId],
    )
    expect(rows).toEqual([{ running_generation: null, started_with: null }])
  },
)
