import { chmodSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { pidsWithEnvironment } from '../../../agents/platform/process-identity.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts'
import { waitFor } from '../../support/wait-for.ts'

// Fault 34 with the process driver: a real disk without a byte left, a real agent and a real program.
let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let controlPlaneUrl: string
let disk: SmallDisk
let agent: AgentUnderTest

beforeAll(async () => {
  bundled = await bundleAgent()
})
afterAll(() => bundled.remove())

const data = (): string => path.join(scratch.path, 'agent')
const root = (): string => path.join(data(), 'servers/acdefghj/root')
const open = async (): Promise<void> => {
  const env = { AGENT_STOP_SERVERS_ON_EXIT: '1' }
  agent = await startAgent({ bundle: bundled.bundle, data: data(), controlPlaneUrl, env })
  await agent.ready()
}

beforeEach(async () => {
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  disk = mountSmallDisk(data(), 8)
  controlPlane = new ControlPlaneStandIn()
  controlPlaneUrl = await controlPlane.open()
  await open()
  await reach('install', 'offline')
  await reach('start', 'running')
})
afterEach(async () => {
  disk.makeRoom()
  await agent.process.stop(20_000)
  await controlPlane.close()
  disk.remove()
  scratch.remove()
})

type Step = 'install' | 'start' | 'stop' | 'kill' | 'suspend'
const send = (step: Step): string => {
  const id = nextId()
  const spec = buildServerSpec({ environment: { GAME_PORT: '0' }, suspended: step === 'suspend' })
  const fields = { id, serverId: SERVER_ID, generation: 1, requestId: 'request', spec }
  if (step === 'install') controlPlane.command({ ...fields, kind: 'install' })
  else if (step === 'suspend') controlPlane.command({ ...fields, kind: 'update' })
  else controlPlane.command({ ...fields, kind: 'power', action: step })
  return id
}
const ended = (id: string) =>
  waitFor('the answer', () => controlPlane.finished(id).find((event) => event.kind === 'command.finished'))
const reach = async (step: Step, state: string): Promise<void> => {
  expect(await ended(send(step))).toMatchObject({ ok: true })
  await waitFor(`the state after ${step}`, () => controlPlane.lastState() === state)
}
const programs = (): number => pidsWithEnvironment(`HOME=${root()}`).length
const starts = (): number => readFileSync(path.join(root(), 'starts.txt'), 'utf8').split('\n').length - 1
const onDisk = (): string => {
  const record = JSON.parse(readFileSync(path.join(data(), 'servers/acdefghj/state/server.json'), 'utf8')) as {
    state: string
  }
  return record.state
}
const killAgent = async (): Promise<void> => {
  agent.process.signal('SIGKILL')
  await agent.process.ended
}

describe('a node whose disk is full', () => {
  it.each(['kill', 'stop', 'suspend'] as const)(
    'ends a server by %s, reports it, and stores it in the reserved space [A23, S-3, S-5]',
    async (step) => {
      disk.fill()
      await reach(step, 'offline')
      await waitFor('the record', () => onDisk() === 'offline')
      expect([programs(), agent.process.isRunning()]).toEqual([0, true])
      // Before there is room: the next agent knows no more than what stands on the disk.
      await killAgent()
      const hellos = controlPlane.hellos.length
      await open()
      await waitFor('the hello', () => controlPlane.hellos.length > hellos)
      expect(controlPlane.hellos.at(-1)?.servers[0]).toMatchObject({ state: 'offline', restartAt: null })
      expect([programs(), starts()]).toEqual([0, 1])
    },
  )

  it('adopts its servers after kill -9, and lets a customer kill one', async () => {
    disk.fill()
    await killAgent()
    await open()
    expect(programs()).toBe(1)
    const client = new PanelClient(agent.port)
    await client.authenticate(await controlPlane.token())
    client.send('set state', ['kill'])
    await waitFor('the server to be offline', () =>
      client.messages.some((message) => message.event === 'status' && message.args[0] === 'offline'),
    )
    expect([programs(), client.has('daemon error')]).toEqual([0, false])
    client.close()
  })

  it('starts nothing and reports it at once, and starts again once there is space', async () => {
    await reach('kill', 'offline')
    disk.fill()
    expect(await ended(send('start'))).toMatchObject({ ok: false, code: 'DISK_FULL' })
    expect([programs(), agent.process.isRunning()]).toEqual([0, true])
    disk.makeRoom()
    await reach('start', 'running')
    expect(existsSync(path.join(root(), 'starts.txt'))).toBe(true)
  })
})
