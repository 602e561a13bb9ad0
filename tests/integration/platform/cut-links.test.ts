import { chmodSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { pidsWithEnvironment } from '../../../agents/platform/process-identity.ts'
import { requestDeletion, setSuspended } from '../../../control-plane/store/server-store.ts'
import type { ServerState } from '../../../src/domain/servers/server-lifecycle.ts'
import { addServer } from '../../factories/fleet.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { startProgram, type TestProgram } from '../../factories/program.ts'
import { buildServerSpec } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent } from '../../support/agent-process.ts'
import { callInternal, startEnrolledAgent, type EnrolledAgent } from '../../support/enrolled-agent.ts'
import { FaultProxy, type Flow } from '../../support/fault-proxy.ts'
import { expectInvariants } from '../../support/server-invariants.ts'
import { waitFor } from '../../support/wait-for.ts'

// Fault 24: the link of a node is silent for 5 s, 60 s or 10 minutes, in one direction or the other, while a start,
// a stop, a suspension and a deletion are on their way. A real control plane and real agents; the cuts pass side
// by side. The longest is part of the whole matrix only.
const SECONDS = (process.env['BAKTER_TEST_SLICE'] ?? '') === '' ? [600, 60, 5] : [60, 5]
const DIRECTIONS = [
  { direction: 'the control plane', flow: { toTarget: 'hold' } },
  { direction: 'the agent', flow: { toClient: 'hold' } },
] as const
const LETTERS = 'acdefghjkmnpqrtuvwxyz'

/** What is asked for at the moment of the cut, what the server does before, and how it is in the end. */
const STEPS = {
  start: { power: 'stopped', before: 'offline', after: 'running', asked: 1 },
  stop: { power: 'running', before: 'running', after: 'offline', asked: 1 },
  suspend: { power: 'running', before: 'running', after: 'offline', asked: 1 },
  delete: { power: 'running', before: 'running', after: 'deleted', asked: 1 },
} as const
type Step = keyof typeof STEPS
type Server = { readonly step: Step; readonly id: string; readonly identifier: string }

let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let database: PlatformDatabase
let plane: TestProgram
beforeAll(async () => {
  bundled = await bundleAgent()
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  database = await platformDatabase()
  plane = await startProgram(database.url)
})
afterAll(async () => {
  await plane.process.stop()
  await database.close()
  bundled.remove()
  scratch.remove()
})

let nodes = 0
/** A node behind a proxy of its own, with a server for each step. */
class CutNode {
  readonly #number = nodes++
  readonly proxy = new FaultProxy(Number(new URL(plane.publicUrl).port))
  readonly servers: Server[] = []
  #agent: EnrolledAgent | undefined

  async open(): Promise<void> {
    const at = { database, plane, bundle: bundled.bundle, folder: scratch.path }
    this.#agent = await startEnrolledAgent({ ...at, url: await this.proxy.open() })
    for (const [index, step] of (Object.keys(STEPS) as Step[]).entries()) {
      const identifier = `acdefg${LETTERS[this.#number]}${LETTERS[index]}`
      const {
        id: _id,
        generation: _generation,
        ...spec
      } = buildServerSpec({ identifier, environment: { GAME_PORT: '0' } })
      const { id } = await addServer(database.owner, this.#agent.nodeId, { power: STEPS[step].power, spec })
      this.servers.push({ step, id, identifier })
    }
    for (const { step, id } of this.servers) await reaches(id, STEPS[step].before)
  }

  async close(): Promise<void> {
    await this.#agent?.agent.process.stop(20_000)
    await this.proxy.close()
  }

  #root({ identifier }: Server): string {
    return path.join(this.#agent?.data ?? '', 'servers', identifier, 'root')
  }

  running(server: Server): number {
    return pidsWithEnvironment(`HOME=${this.#root(server)}`).length
  }

  /** How often the program began; undefined once the folder is gone. */
  #begun(server: Server): number | undefined {
    const file = path.join(this.#root(server), 'starts.txt')
    if (existsSync(file)) return readFileSync(file, 'utf8').split('\n').length - 1
    return existsSync(this.#root(server)) ? 0 : undefined
  }

  async check(server: Server): Promise<void> {
    const rows = await database.owner.query<{ id: string; state: string }>(
      `select id, state from control.commands where server_id = $1 and state <> 'superseded'`,
      [server.id],
    )
    const { asked } = STEPS[server.step]
    expectInvariants({
      running: this.running(server),
      ...{ begun: this.#begun(server) ?? asked, asked },
      told: (await stateOf(server.id)) as ServerState,
      suspended: server.step === 'suspend',
      commands: rows.map(({ id }) => id),
      answers: rows.flatMap(({ id, state }) =>
        state === 'finished' || state === 'failed' ? [{ commandId: id, ok: state === 'finished' }] : [],
      ),
    })
  }
}

const stateOf = async (serverId: string): Promise<string | undefined> => {
  const [row] = await database.owner.query<{ state: string }>(
    'select state from control.server_state where server_id = $1',
    [serverId],
  )
  return row?.state
}
const reaches = (serverId: string, state: string) =>
  waitFor(`the server to be ${state}`, async () => (await stateOf(serverId)) === state, 60_000)
const hasOpenCommands = async (serverId: string): Promise<boolean> =>
  (
    await database.owner.query(
      `select 1 from control.commands where server_id = $1 and state in ('pending', 'accepted')`,
      [serverId],
    )
  ).length > 0

const askFor = async ({ step, id }: Server): Promise<void> => {
  if (step === 'suspend') await setSuspended(database.owner, id, 'a test')
  else if (step === 'delete') await requestDeletion(database.owner, id)
  else await callInternal(plane, 'power', { serverId: id, action: step })
}

const silent: Record<'toTarget' | 'toClient', Flow> = { toTarget: 'pass', toClient: 'pass' }

/** One node, one cut, and what is true after it. Answers the steps that were checked. */
const run = async (seconds: number, flow: Partial<typeof silent>): Promise<Step[]> => {
  const node = new CutNode()
  try {
    await node.open()
    // Cut first: towards the agent no command arrives, towards the control plane all arrive and no answer does.
    node.proxy.flow({ ...silent, ...flow })
    await Promise.all(node.servers.map(askFor))
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    node.proxy.flow(silent)
    for (const server of node.servers) {
      await reaches(server.id, STEPS[server.step].after)
      await waitFor('the ends of all commands', async () => !(await hasOpenCommands(server.id)))
      await node.check(server)
    }
    return node.servers.map(({ step }) => step)
  } finally {
    await node.close()
  }
}

const cases = SECONDS.flatMap((seconds) => DIRECTIONS.map((direction) => ({ seconds, ...direction })))
// All cuts pass at once, and each test waits for its own.
let runs: Promise<Step[]>[]
beforeAll(() => {
  runs = cases.map(({ seconds, flow }) => run(seconds, flow))
  for (const one of runs) one.catch(() => {})
})
// Also when a test gives up: nothing is taken away from under the others.
afterAll(() => Promise.allSettled(runs), 700_000)

describe('fault 24', () => {
  it.each(cases.map((one, index) => ({ ...one, index })))(
    '$seconds s in which nothing reaches $direction, during a start, a stop, a suspension and a deletion [S-1 to S-5]',
    { timeout: 900_000 },
    async ({ index }) => {
      expect(await runs[index]).toEqual(['start', 'stop', 'suspend', 'delete'])
    },
  )
})
