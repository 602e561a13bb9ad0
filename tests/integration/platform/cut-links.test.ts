import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { requestDeletion, setSuspended } from '../../../control-plane/servers/store/server-store.ts'
import type { ServerState } from '../../../src/domain/servers/server-lifecycle.ts'
import { callInternal, type EnrolledAgent } from '../../support/enrolled-agent.ts'
import { beginningsOf, openEnrolledFleet, processesOf, type EnrolledFleet } from '../../support/enrolled-fleet.ts'
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
/** The games of all nodes start at once, and two cores may be busy with others. */
const WITHIN_MS = 180_000

/** The request at the moment of the cut, the server's state before, and its state in the end. */
const STEPS = {
  start: { power: 'stopped', before: 'offline', after: 'running', asked: 1 },
  stop: { power: 'running', before: 'running', after: 'offline', asked: 1 },
  suspend: { power: 'running', before: 'running', after: 'offline', asked: 1 },
  delete: { power: 'running', before: 'running', after: 'deleted', asked: 1 },
} as const
type Step = keyof typeof STEPS
type Server = { readonly step: Step; readonly id: string; readonly identifier: string }

let fleet: EnrolledFleet
beforeAll(async () => {
  fleet = await openEnrolledFleet()
})
afterAll(() => fleet.close())

let nodes = 0
/** A node behind a proxy of its own, with a server for each step. */
class CutNode {
  readonly #number = nodes++
  readonly proxy = new FaultProxy(Number(new URL(fleet.plane.publicUrl).port))
  readonly servers: Server[] = []
  #agent: EnrolledAgent | undefined

  async open(): Promise<void> {
    const agent = await fleet.startAgent({ url: await this.proxy.open() })
    this.#agent = agent
    for (const [index, step] of (Object.keys(STEPS) as Step[]).entries()) {
      const identifier = `acdefg${LETTERS[this.#number]}${LETTERS[index]}`
      this.servers.push({ step, id: await fleet.addGame(agent, identifier, STEPS[step].power), identifier })
    }
    for (const { step, id } of this.servers) await reaches(id, STEPS[step].before)
  }

  async close(): Promise<void> {
    await this.#agent?.agent.process.stop(20_000)
    await this.proxy.close()
  }

  async check(server: Server): Promise<void> {
    const agent = this.#agent
    if (agent === undefined) throw new Error('The node was never opened.')
    const rows = await fleet.database.owner.query<{ id: string; state: string }>(
      `select id, state from control.commands where server_id = $1 and state <> 'superseded'`,
      [server.id],
    )
    const { asked } = STEPS[server.step]
    expectInvariants({
      running: processesOf(agent, server.identifier),
      begun: beginningsOf(agent, server.identifier) ?? asked,
      asked,
      told: (await fleet.stateOf(server.id)) as ServerState,
      suspended: server.step === 'suspend',
      commands: rows.map(({ id }) => id),
      answers: rows.flatMap(({ id, state }) =>
        state === 'finished' || state === 'failed' ? [{ commandId: id, ok: state === 'finished' }] : [],
      ),
    })
  }
}

const reaches = (serverId: string, state: string) =>
  waitFor(`the server to be ${state}`, async () => (await fleet.stateOf(serverId)) === state, WITHIN_MS)
const hasOpenCommands = async (serverId: string): Promise<boolean> =>
  (
    await fleet.database.owner.query(
      `select 1 from control.commands where server_id = $1 and state in ('pending', 'accepted')`,
      [serverId],
    )
  ).length > 0

const askFor = async ({ step, id }: Server): Promise<void> => {
  if (step === 'suspend') await setSuspended(fleet.database.owner, id, 'a test')
  else if (step === 'delete') await requestDeletion(fleet.database.owner, id)
  else await callInternal(fleet.plane, 'power', { serverId: id, action: step })
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
      await waitFor('the ends of all commands', async () => !(await hasOpenCommands(server.id)), WITHIN_MS)
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
