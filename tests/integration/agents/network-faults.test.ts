import { chmodSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { pidsWithEnvironment } from '../../../agents/platform/process-identity.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { FaultProxy } from '../../support/fault-proxy.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { expectInvariants } from '../../support/server-invariants.ts'
import { sliceOf } from '../../support/slice.ts'
import { waitFor } from '../../support/wait-for.ts'

// Faults 22, 24 and 27: a proxy in the path cuts the link in each direction, loud and silent, during each action. The cuts of
// 5 s, 60 s and 10 minutes are in tests/integration/platform/cut-links.test.ts.
let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let proxy: FaultProxy
let agent: AgentUnderTest
let commands: string[]

beforeAll(async () => {
  bundled = await bundleAgent()
})
afterAll(() => bundled.remove())

beforeEach(async () => {
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  commands = []
  controlPlane = new ControlPlaneStandIn()
  proxy = new FaultProxy(Number(new URL(await controlPlane.open()).port))
  agent = await startAgent({
    bundle: bundled.bundle,
    data: path.join(scratch.path, 'agent'),
    controlPlaneUrl: await proxy.open(),
    env: { AGENT_STOP_SERVERS_ON_EXIT: '1' },
  })
  await agent.ready()
})
afterEach(async () => {
  await agent.process.stop(20_000)
  await proxy.close()
  await controlPlane.close()
  scratch.remove()
})

const root = (): string => path.join(scratch.path, 'agent/servers/acdefghj/root')
const starts = (): number => {
  const file = path.join(root(), 'starts.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}

type Step = 'install' | 'start' | 'stop'
const FINAL = { install: 'offline', start: 'running', stop: 'offline' } as const
const send = (step: Step, id: string): void => {
  const spec = buildServerSpec({ environment: { GAME_PORT: '0' } })
  const fields = { id, serverId: SERVER_ID, generation: 1, requestId: 'request' }
  if (step === 'install') controlPlane.command({ ...fields, kind: 'install', spec })
  else controlPlane.command({ ...fields, kind: 'power', action: step, spec })
}

/** Sends the command, which is repeated in every session until its end has arrived, as the rows of the control plane are. */
const reach = async (step: Step, disturb: () => void = () => {}): Promise<void> => {
  const id = nextId()
  commands.push(id)
  await waitFor('a session', () => controlPlane.isConnected)
  send(step, id)
  disturb()
  await waitFor(`the end of ${step}`, () => controlPlane.finished(id).length > 0)
  await waitFor(`the state after ${step}`, () => controlPlane.lastState() === FINAL[step])
  check(step)
}

const check = (step: Step): void =>
  expectInvariants({
    running: pidsWithEnvironment(`HOME=${root()}`).length,
    begun: starts(),
    asked: step === 'install' ? 0 : 1,
    told: FINAL[step],
    suspended: false,
    commands,
    answers: controlPlane.list().flatMap((event) => (event.kind === 'command.finished' ? [event] : [])),
  })

const CUTS = {
  'a reset': () => proxy.reset(),
  'a refused link for a second': () => {
    proxy.refuse(true)
    setTimeout(() => proxy.refuse(false), 1_000)
  },
  'nothing to the control plane': () => hold({ toTarget: 'hold' }),
  'nothing to the agent': () => hold({ toClient: 'hold' }),
  'nothing in either direction': () => hold({ toTarget: 'hold', toClient: 'hold' }),
} as const

/** Silent for two seconds: shorter than what counts as dead, so everything arrives late and nothing is lost. */
const hold = (flow: Parameters<FaultProxy['flow']>[0]): void => {
  proxy.flow(flow)
  setTimeout(() => proxy.flow({ toTarget: 'pass', toClient: 'pass' }), 2_000)
}

const cases = (['install', 'start', 'stop'] as const).flatMap((during) =>
  (Object.keys(CUTS) as (keyof typeof CUTS)[]).map((cut) => ({ during, cut })),
)

describe('the link between agent and control plane', () => {
  it.each(sliceOf(cases, 5))(
    '$cut during $during: each command runs once and all is told [A4, A6, S-1 to S-4]',
    async ({ during, cut }) => {
      for (const step of ['install', 'start', 'stop'] as const)
        await reach(step, step === during ? CUTS[cut] : undefined)
      const seqs = [...controlPlane.events.keys()]
      expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    },
  )

  it('fault 22: without a control plane a console works until its token expires [A12, P9]', async () => {
    await reach('install')
    await reach('start')
    proxy.refuse(true)
    await waitFor('the session to end', () => !controlPlane.isConnected)
    const clients = [new PanelClient(agent.port), new PanelClient(agent.port)] as const
    await clients[0].authenticate(await controlPlane.token())
    // Long enough for the line on a machine that stands still for seconds.
    const ending = await controlPlane.token({ exp: Math.floor(Date.now() / 1_000) + 15 })
    await clients[1].authenticate(ending)
    clients[0].send('send command', ['say nobody is above us'])
    for (const client of clients) await waitFor('the line', () => client.says('[Server] nobody is above us'))
    expect(await clients[1].closed()).toBe(4401)
    expect(clients[1].has('token expired')).toBe(true)
    clients[0].send('send command', ['say still here'])
    await waitFor('the line', () => clients[0].says('[Server] still here'))
    clients[0].close()
    proxy.refuse(false)
    await waitFor('the session', () => controlPlane.isConnected)
    check('start')
  })

  it.each(
    sliceOf(
      [
        { name: 'the agent hears nothing', flow: { toClient: 'hold' } },
        { name: 'neither hears anything', flow: { toClient: 'hold', toTarget: 'hold' } },
      ] as const,
      2,
    ),
  )('a half-open link is noticed: $name [A14]', async ({ flow }) => {
    await reach('install')
    await reach('start')
    const hellos = controlPlane.hellos.length
    const dialled = proxy.accepted
    proxy.flow(flow)
    await waitFor('the agent to dial again', () => proxy.accepted > dialled, 90_000)
    proxy.flow({ toTarget: 'pass', toClient: 'pass' })
    await waitFor('a new session', () => controlPlane.hellos.length > hellos)
    expect(controlPlane.hellos.at(-1)?.servers[0]).toMatchObject({ id: SERVER_ID, state: 'running' })
    check('start')
  })
})
