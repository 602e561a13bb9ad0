import { chmodSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { FAULT_NAMES } from '../../../agents/platform/fault-point.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { sliceOf } from '../../support/slice.ts'
import { waitFor } from '../../support/wait-for.ts'

let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let url: string
let last: AgentUnderTest | undefined

beforeAll(async () => {
  bundled = await bundleAgent()
})
afterAll(() => bundled.remove())

beforeEach(async () => {
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  controlPlane = new ControlPlaneStandIn()
  url = await controlPlane.open()
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

type Step = 'install' | 'start' | 'stop'
const FINAL = { install: 'offline', start: 'running', stop: 'offline' } as const

/** Sends the command, again after every reconnect until it is answered, as the reconcile loop does. */
const run = async (step: Step): Promise<void> => {
  const spec = buildServerSpec({ environment: { GAME_PORT: '0' } })
  const fields = { id: nextId(), serverId: SERVER_ID, generation: 1, requestId: 'request' }
  const send = (): void => {
    if (step === 'install') controlPlane.command({ ...fields, kind: 'install', spec })
    else controlPlane.command({ ...fields, kind: 'power', action: step, spec })
  }
  send()
  const hellos = controlPlane.hellos.length
  let restarted = false
  await waitFor(
    `${step} to be answered`,
    async () => {
      if (last !== undefined && !last.process.isRunning() && !restarted) {
        restarted = true
        await (await open()).ready()
      }
      if (restarted && controlPlane.hellos.length > hellos && controlPlane.isConnected) send()
      return controlPlane.finished(fields.id).length > 0
    },
    30_000,
  )
  expect(controlPlane.finished(fields.id)[0]).toMatchObject({ ok: true })
  await waitFor(`the state after ${step}`, () => {
    if (controlPlane.lastState() !== FINAL[step]) throw new Error(`It is ${controlPlane.lastState()}.`)
    return true
  })
}

/** Every point is visited once by the three commands, the end of a command three times. */
const FAULTS = FAULT_NAMES.flatMap((name) =>
  (name === 'command.finished' ? [1, 2, 3] : [1]).map((visit) => `${name}:${visit}`),
)

describe('kill -9 of the agent at every fault point', () => {
  it.each(sliceOf(FAULTS, 3))('%s: each command runs once and ends well [A4, S-1, S-4]', async (fault) => {
    await (await open(`${fault}:kill`)).ready()
    const killed = last?.process
    await run('install')
    await run('start')
    await run('stop')
    expect((await killed?.ended)?.signal).toBe('SIGKILL')
    expect(rootFile('installed.txt')).toBe('installed\n')
    expect(rootFile('starts.txt').trim().split('\n')).toHaveLength(1)
    expect(rootFile('world.json')).toContain('saved')
  })
})
