import { chmodSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { FAULT_NAMES } from '../../../agents/platform/fault-point.ts'
import { pidsWithEnvironment } from '../../../agents/platform/process-identity.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { expectInvariants } from '../../support/server-invariants.ts'
import { sliceOf } from '../../support/slice.ts'
import { waitFor } from '../../support/wait-for.ts'

// Fault 19 with real processes. The fake runtime walks all points x {kill, throw, delay} in fault-matrix.test.ts.
const STEPS = ['install', 'start', 'stop', 'reinstall', 'delete'] as const
type Step = (typeof STEPS)[number]
const FINAL = {
  install: 'offline',
  start: 'running',
  stop: 'offline',
  reinstall: 'offline',
  delete: 'deleted',
} as const

let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let url: string
let last: AgentUnderTest | undefined
let commands: string[]

beforeAll(async () => {
  bundled = await bundleAgent()
})
afterAll(() => bundled.remove())

beforeEach(async () => {
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  controlPlane = new ControlPlaneStandIn()
  url = await controlPlane.open()
  commands = []
})

afterEach(async () => {
  if (last?.process.isRunning()) await last.process.stop(20_000)
  await controlPlane.close()
  scratch.remove()
})

const open = async (fault = ''): Promise<AgentUnderTest> => {
  const agent = await startAgent({
    bundle: bundled.bundle,
    data: path.join(scratch.path, 'agent'),
    controlPlaneUrl: url,
    env: { AGENT_STOP_SERVERS_ON_EXIT: '1', ...(fault === '' ? {} : { FAULT: fault }) },
  })
  last = agent
  return agent
}

const rootFile = (name: string): string => {
  const file = path.join(scratch.path, 'agent/servers/acdefghj/root', name)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Programs of the server that run now, whoever knows of them. */
const running = (): number =>
  pidsWithEnvironment(`HOME=${path.join(scratch.path, 'agent/servers/acdefghj/root')}`).length

const send = (step: Step, id: string): void => {
  const spec = buildServerSpec({ environment: { GAME_PORT: '0' } })
  const fields = { id, serverId: SERVER_ID, generation: step === 'delete' ? 2 : 1, requestId: 'request' }
  if (step === 'install' || step === 'reinstall') controlPlane.command({ ...fields, kind: step, spec })
  else if (step === 'delete') controlPlane.command({ ...fields, kind: 'delete', tombstone: true })
  else controlPlane.command({ ...fields, kind: 'power', action: step, spec })
}

/** Sends the command, again after every reconnect until it is answered, as the reconcile loop does. */
const run = async (step: Step): Promise<boolean> => {
  const id = nextId()
  commands.push(id)
  send(step, id)
  const hellos = controlPlane.hellos.length
  let restarted = false
  await waitFor(
    `${step} to be answered`,
    async () => {
      if (last !== undefined && !last.process.isRunning() && !restarted) {
        restarted = true
        await (await open()).ready()
      }
      if (restarted && controlPlane.hellos.length > hellos && controlPlane.isConnected) send(step, id)
      return controlPlane.finished(id).length > 0
    },
    30_000,
  )
  return controlPlane.finished(id).some((event) => event.kind === 'command.finished' && event.ok)
}

const reach = async (step: Step): Promise<void> => {
  // A fault that throws fails its command; the reconcile loop asks once more under a new id.
  if (!(await run(step))) expect(await run(step)).toBe(true)
  await waitFor(`the state after ${step}`, () => {
    if (controlPlane.lastState() !== FINAL[step]) throw new Error(`It is ${controlPlane.lastState()}.`)
    return true
  })
  const starts = rootFile('starts.txt').split('\n').length - 1
  expectInvariants({
    running: running(),
    begun: starts,
    asked: step === 'install' || step === 'delete' ? 0 : 1,
    told: step === 'delete' ? 'deleted' : FINAL[step],
    suspended: false,
    commands,
    answers: controlPlane.list().flatMap((event) => (event.kind === 'command.finished' ? [event] : [])),
  })
}

const cases = (['kill', 'throw', 'delay'] as const).flatMap((action) =>
  FAULT_NAMES.flatMap((name) =>
    (name === 'command.finished' ? [1, 2, 3] : [1]).map((visit) => ({ action, name, visit })),
  ),
)

describe('a real agent at every fault point', () => {
  it.each(sliceOf(cases, 6))('$action at $name, visit $visit [A4, S-1 to S-4]', async ({ action, name, visit }) => {
    await (await open(`${name}:${visit}:${action}`)).ready()
    const first = last?.process
    for (const step of STEPS) {
      await reach(step)
      if (step === 'install') expect(rootFile('installed.txt')).toContain('installed\n')
      if (step === 'stop') expect(rootFile('world.json')).toContain('saved')
    }
    if (action === 'kill') expect((await first?.ended)?.signal).toBe('SIGKILL')
    expect(existsSync(path.join(scratch.path, 'agent/servers/acdefghj'))).toBe(false)
  })
})
