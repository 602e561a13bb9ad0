import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { layoutOf } from '../../../agents/servers/layout.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { mountsBelow } from '../../support/mounts.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { waitFor } from '../../support/wait-for.ts'

const MIB = 1024 * 1024
const LIMIT_MIB = 256
/** A folder is measured every 30 s, and looked at every 10 s. */
const STOPPED_WITHIN_MS = 150_000

let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let url: string
let agent: AgentUnderTest
let client: PanelClient

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
  await agent.process.stop(20_000)
  await controlPlane.close()
  for (const at of mounts()) execFileSync('umount', ['-l', at])
  scratch.remove()
})

const data = () => path.join(scratch.path, 'agent')
const mounts = () => mountsBelow(scratch.path)
const begin = (env: Record<string, string>): Promise<AgentUnderTest> =>
  startAgent({ bundle: bundled.bundle, data: data(), controlPlaneUrl: url, env })
const open = async (quota: string): Promise<void> => {
  agent = await begin({ AGENT_STOP_SERVERS_ON_EXIT: '1', AGENT_QUOTA: quota })
  await agent.ready()
}
/** Gives the command and returns how it ended. */
const ended = async (kind: 'install' | 'start') => {
  const id = nextId()
  const limits = { cpuPercent: 100, memoryMiB: 512, storageMiB: LIMIT_MIB, pids: 512 }
  const spec = buildServerSpec({ environment: { GAME_PORT: '0' }, limits })
  const fields = { id, serverId: SERVER_ID, generation: 1, requestId: 'request', spec }
  controlPlane.command(kind === 'install' ? { ...fields, kind } : { ...fields, kind: 'power', action: kind })
  return waitFor(`the end of ${kind}`, () =>
    controlPlane.finished(id).find((event) => event.kind === 'command.finished'),
  )
}
const order = async (kind: 'install' | 'start'): Promise<void> => {
  expect(await ended(kind)).toMatchObject({ ok: true })
}
const play = async (): Promise<void> => {
  await order('install')
  await order('start')
  await waitFor('the game', () => controlPlane.lastState() === 'running')
}
const type = async (line: string): Promise<void> => {
  client = new PanelClient(agent.port)
  await client.authenticate(await controlPlane.token())
  client.send('send command', [line])
}
const prints = (text: string): Promise<boolean> =>
  waitFor(`the line ${text}`, () => JSON.stringify(client.messages).includes(text), 120_000)
const grown = (onImage: boolean): number =>
  statSync(path.join(layoutOf(data(), 'acdefghj', onImage).root, 'grown.dat')).size / MIB
const activities = () =>
  controlPlane
    .list()
    .flatMap((event) => (event.kind === 'activity' && event.userId === null ? [[event.type, event.detail]] : []))

describe('a game that writes without end', () => {
  it('is refused by its disk, goes on, and keeps its disk when the agent is killed', { timeout: 400_000 }, async () => {
    await open('loop-ext4')
    await play()
    await type('grow 2000')
    await prints('The world takes nothing more: ENOSPC')
    expect(grown(true)).toBeGreaterThanOrEqual(LIMIT_MIB - 1)
    expect(grown(true)).toBeLessThan(LIMIT_MIB * 1.1)
    expect([controlPlane.lastState(), activities()]).toEqual(['running', []])
    client.close()
    const before = mounts()
    agent.process.signal('SIGKILL')
    await agent.process.ended
    await open('loop-ext4')
    expect([mounts(), before.length]).toEqual([before, 1])
    await type('say still here')
    await prints('still here')
    client.close()
  })

  it('is stopped at 110 % with a note where the disk is the node’s', { timeout: 3 * STOPPED_WITHIN_MS }, async () => {
    await open('watcher')
    await play()
    await type(`grow ${LIMIT_MIB * 2}`)
    await waitFor('the stop', () => controlPlane.lastState() === 'offline', STOPPED_WITHIN_MS)
    await prints('storage-exceeded')
    await waitFor('the activity', () => activities().length > 0)
    expect(activities()).toEqual([['server:storage-exceeded', expect.stringContaining(`of ${LIMIT_MIB} MiB`)]])
    expect([grown(false) >= LIMIT_MIB * 1.09, mounts()]).toEqual([true, []])
    expect(await ended('start')).toMatchObject({ ok: false, code: 'STORAGE_EXCEEDED' })
    await prints('storage-not-started')
    expect(controlPlane.lastState()).toBe('offline')
    rmSync(path.join(layoutOf(data(), 'acdefghj', false).root, 'grown.dat'))
    // At once, not with the next measurement.
    expect(await ended('start')).toMatchObject({ ok: true })
    await waitFor('the game', () => controlPlane.lastState() === 'running')
    client.close()
  })
})

describe('an agent that cannot do what is set', () => {
  it.each([
    ['a driver that does not exist', { AGENT_QUOTA: 'zfs' }, 'The setting AGENT_QUOTA is wrong'],
    [
      'a machine without the programs',
      { AGENT_QUOTA: 'loop-ext4', PATH: '/nonexistent' },
      'AGENT_QUOTA=loop-ext4 is not possible on this machine. fallocate failed',
    ],
  ])('refuses to start with a sentence: %s', async (_case, env, sentence) => {
    agent = await begin(env)
    expect((await agent.process.ended).code).toBe(1)
    expect(agent.process.output()).toContain(sentence)
    expect(mounts()).toEqual([])
  })
})
