import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { layoutOf } from '../../../agents/servers/layout.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { openBeside, startAgentOnDocker } from '../../support/agent-on-docker.ts'
import { bundleAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { loadTestImage } from '../../support/docker-image.ts'
import { mountsBelow } from '../../support/mounts.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { waitFor } from '../../support/wait-for.ts'

const MIB = 1024 * 1024
const LIMIT_MIB = 64
const LARGER_MIB = 128

let daemon: TestDockerDaemon
let image: string
let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let url: string
let agent: AgentUnderTest | undefined

beforeAll(async () => {
  scratch = scratchFolder()
  // As on a node whose systemd shares mounts: what the agent mounts is seen where the engine makes containers.
  execFileSync('mount', ['--bind', scratch.path, scratch.path])
  execFileSync('mount', ['--make-shared', scratch.path])
  daemon = await startTestDockerDaemon()
  ;({ name: image } = await loadTestImage(daemon.docker))
  bundled = await bundleAgent()
  controlPlane = new ControlPlaneStandIn()
  url = await openBeside(daemon, controlPlane)
}, 180_000)
afterAll(async () => {
  await agent?.process.stop(20_000)
  await controlPlane.close()
  await daemon.remove()
  for (const at of mounts().reverse()) execFileSync('umount', ['-l', at])
  execFileSync('umount', ['-l', scratch.path])
  bundled.remove()
  scratch.remove()
})

const data = () => path.join(scratch.path, 'agent')
const mounts = () => mountsBelow(scratch.path)
const open = async (): Promise<void> => {
  const place = { daemon, bundle: bundled.bundle, data: data(), controlPlane, controlPlaneUrl: url }
  agent = await startAgentOnDocker({ ...place, env: { AGENT_QUOTA: 'loop-ext4' } })
}
const order = async (fields: Record<string, unknown>, storageMiB = LIMIT_MIB): Promise<void> => {
  const id = nextId()
  const spec = buildServerSpec({
    image: `~${image}`,
    limits: { cpuPercent: 100, memoryMiB: 256, storageMiB, pids: 256 },
  })
  const command = { id, serverId: SERVER_ID, generation: 1, requestId: 'request', spec, ...fields }
  controlPlane.command(command as Parameters<typeof controlPlane.command>[0])
  const done = () => controlPlane.finished(id).find((event) => event.kind === 'command.finished')
  expect(await waitFor('the end of the command', done, 60_000)).toMatchObject({ ok: true })
}
const power = (action: string, storageMiB?: number) => order({ kind: 'power', action }, storageMiB)
const state = (wanted: string) => waitFor(wanted, () => controlPlane.lastState() === wanted, 60_000)
const type = async (line: string, has: (client: PanelClient) => boolean): Promise<void> => {
  const client = new PanelClient(agent?.port ?? 0, { host: daemon.namespace.address })
  await client.authenticate(await controlPlane.token())
  client.send('send command', [line])
  await waitFor(`the effect of ${line}`, () => has(client), 60_000)
  client.close()
}
const prints = (text: string) => (client: PanelClient) => JSON.stringify(client.messages).includes(text)
const grownMiB = () => statSync(path.join(layoutOf(data(), 'acdefghj', true).root, 'grown.dat')).size / MIB

it('the program in a container has its image as its disk, through a crash of the agent and a larger size', async () => {
  await open()
  await order({ kind: 'install' })
  await power('start')
  await state('running')
  await type('grow 2000', prints('The world takes nothing more: ENOSPC'))
  const full = grownMiB()
  expect(full).toBeGreaterThanOrEqual(LIMIT_MIB - 1)
  expect(full).toBeLessThan(LIMIT_MIB * 1.5)

  const before = mounts()
  agent?.process.signal('SIGKILL')
  await agent?.process.ended
  await open()
  expect([before.length, mounts()]).toEqual([1, before])
  await type('say still here', prints('[Server] still here'))

  // The size that was bought meanwhile needs the disk unmounted: no container may hold it.
  await power('stop')
  await state('offline')
  await power('start', LARGER_MIB)
  await state('running')
  await type('grow 2000', () => grownMiB() >= LARGER_MIB - 1)

  await power('kill')
  await state('offline')
  await order({ kind: 'delete', tombstone: true, generation: 2, spec: undefined })
  expect([mounts(), existsSync(path.join(data(), 'servers/acdefghj'))]).toEqual([[], false])
}, 240_000)
