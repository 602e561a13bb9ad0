import path from 'node:path'

import { afterAll, beforeAll, it } from 'vitest'

import { expectServersToOutliveTheAgent } from '../../suites/many-servers.suite.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { openBeside, runningContainers, startAgentOnDocker } from '../../support/agent-on-docker.ts'
import { bundleAgent } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { loadTestImage } from '../../support/docker-image.ts'

// Twenty servers run in the whole matrix, four in a share of it.
const COUNT = process.env['BAKTER_TEST_SLICE'] ? 4 : 20

let daemon: TestDockerDaemon
let image: string
let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
beforeAll(async () => {
  daemon = await startTestDockerDaemon({ liveRestore: true })
  image = (await loadTestImage(daemon.docker)).name
  bundled = await bundleAgent()
  scratch = scratchFolder()
  controlPlane = new ControlPlaneStandIn()
})
afterAll(async () => {
  await controlPlane.close()
  await daemon.remove()
  bundled.remove()
  scratch.remove()
})

it(
  'fault 18: kill -9 of the agent stops no container and loses or repeats no line [A12, P3, P5, S-2]',
  { timeout: 300_000 },
  async () => {
    const data = path.join(scratch.path, 'agent')
    const controlPlaneUrl = await openBeside(daemon, controlPlane)
    const place = { daemon, bundle: bundled.bundle, data, controlPlane, controlPlaneUrl }
    const ip = daemon.namespace.address
    await expectServersToOutliveTheAgent({
      count: COUNT,
      controlPlane,
      data,
      host: ip,
      spec: (index) => ({ image: `~${image}`, allocations: [{ ip, port: 25_000 + index, primary: true }] }),
      open: () => startAgentOnDocker({ ...place, env: { AGENT_STOP_SERVERS_ON_EXIT: '1' } }),
      running: ({ id }) => runningContainers(daemon, id),
    })
  },
)
