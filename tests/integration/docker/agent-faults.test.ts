import path from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { DOCKER_FAULT_NAMES, FAULT_NAMES, type FaultName } from '../../../agents/platform/fault-point.ts'
import { SERVER_ID } from '../../factories/server-spec.ts'
import { FaultStory } from '../../suites/agent-faults.suite.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { openBeside, runningContainers, startAgentOnDocker } from '../../support/agent-on-docker.ts'
import { bundleAgent } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { loadTestImage } from '../../support/docker-image.ts'
import { sliceOf } from '../../support/slice.ts'

// Fault 19 with real containers: kill -9 of the agent at each of its fault points, the driver's own among them, which also
// throw and wait.
let daemon: TestDockerDaemon
let image: string
let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let story: FaultStory

beforeAll(async () => {
  daemon = await startTestDockerDaemon({ liveRestore: true })
  image = (await loadTestImage(daemon.docker)).name
  bundled = await bundleAgent()
})
afterAll(async () => {
  await daemon.remove()
  bundled.remove()
})

beforeEach(async () => {
  scratch = scratchFolder()
  controlPlane = new ControlPlaneStandIn()
  const controlPlaneUrl = await openBeside(daemon, controlPlane)
  const data = path.join(scratch.path, 'agent')
  const place = { daemon, bundle: bundled.bundle, data, controlPlane, controlPlaneUrl }
  story = new FaultStory({
    controlPlane,
    data,
    spec: { image: `~${image}`, allocations: [{ ip: daemon.namespace.address, port: 25_565, primary: true }] },
    open: (fault) => startAgentOnDocker({ ...place, env: fault === '' ? {} : { FAULT: fault } }),
    running: async () => (await runningContainers(daemon, SERVER_ID)).length,
  })
})
afterEach(async () => {
  await story.end()
  await controlPlane.close()
  for (const { Id } of await daemon.docker.listContainers({ all: true })) {
    await daemon.docker.getContainer(Id).remove({ force: true })
  }
  scratch.remove()
})

/** The first visit is an installation's container, the second a server's. Lines and signals are for servers alone. */
const dockerVisits = (name: FaultName): number[] => (/attach|signal/.test(name) ? [1] : [1, 2])
const cases = [
  ...FAULT_NAMES.map((name) => ({ action: 'kill', name, visit: 1 })),
  ...[2, 3].map((visit) => ({ action: 'kill', name: 'command.finished', visit })),
  ...DOCKER_FAULT_NAMES.flatMap((name) => dockerVisits(name).map((visit) => ({ action: 'kill', name, visit }))),
  ...(['throw', 'delay'] as const).flatMap((action) =>
    DOCKER_FAULT_NAMES.map((name) => ({ action, name, visit: dockerVisits(name).at(-1) ?? 1 })),
  ),
]

describe('a real agent with containers at every fault point', () => {
  it.each(sliceOf(cases, 9))(
    '$action at $name, visit $visit [A4, S-1 to S-5, S-7]',
    async ({ action, name, visit }) => {
      const plan = `${name}:${visit}:${action}`
      const steps = ['install', 'start', 'stop', 'reinstall', 'start', 'kill', 'start', 'suspend', 'delete'] as const
      const first = await story.tell(plan, steps)
      if (action === 'kill') expect((await first.process.ended).signal).toBe('SIGKILL')
      expect(await daemon.docker.listContainers({ all: true })).toEqual([])
      const networks = await daemon.docker.listNetworks()
      expect(networks.filter(({ Labels }) => Labels?.['bakter.server'] === SERVER_ID)).toEqual([])
    },
  )
})
