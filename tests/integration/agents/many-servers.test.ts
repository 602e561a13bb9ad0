import { chmodSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, it } from 'vitest'

import { pidsWithEnvironment } from '../../../agents/platform/process-identity.ts'
import { expectServersToOutliveTheAgent } from '../../suites/many-servers.suite.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'

// Twenty servers run in the whole matrix, four in a share of it.
const COUNT = process.env['BAKTER_TEST_SLICE'] ? 4 : 20

let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
beforeAll(async () => {
  bundled = await bundleAgent()
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  controlPlane = new ControlPlaneStandIn()
})
afterAll(async () => {
  await controlPlane.close()
  bundled.remove()
  scratch.remove()
})

it(
  'fault 18: kill -9 of the agent stops no server and loses or repeats no line [A12, P3, P5, S-2]',
  { timeout: 300_000 },
  async () => {
    const controlPlaneUrl = await controlPlane.open()
    const data = path.join(scratch.path, 'agent')
    await expectServersToOutliveTheAgent({
      count: COUNT,
      controlPlane,
      data,
      host: '127.0.0.1',
      spec: () => ({ environment: { GAME_PORT: '0' } }),
      open: async () => {
        const env = { AGENT_STOP_SERVERS_ON_EXIT: '1' }
        const agent = await startAgent({ bundle: bundled.bundle, data, controlPlaneUrl, env })
        await agent.ready()
        return agent
      },
      running: ({ root }) => Promise.resolve(pidsWithEnvironment(`HOME=${root}`).map(String)),
    })
  },
)
