import { chmodSync } from 'node:fs'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { FAULT_NAMES } from '../../../agents/platform/fault-point.ts'
import { pidsWithEnvironment } from '../../../agents/platform/process-identity.ts'
import { FaultStory } from '../../suites/agent-faults.suite.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { sliceOf } from '../../support/slice.ts'

// Fault 19 with real processes; with real containers in tests/integration/docker/agent-faults.test.ts. The fake runtime walks
// all points x {kill, throw, delay} in fault-matrix.test.ts.
const STORY = { timeout: 240_000 }

let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let story: FaultStory

beforeAll(async () => {
  bundled = await bundleAgent()
})
afterAll(() => bundled.remove())

beforeEach(async () => {
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  controlPlane = new ControlPlaneStandIn()
  const controlPlaneUrl = await controlPlane.open()
  const data = path.join(scratch.path, 'agent')
  story = new FaultStory({
    controlPlane,
    data,
    spec: { environment: { GAME_PORT: '0' } },
    open: async (fault) => {
      const env = { AGENT_STOP_SERVERS_ON_EXIT: '1', ...(fault === '' ? {} : { FAULT: fault }) }
      const agent = await startAgent({ bundle: bundled.bundle, data, controlPlaneUrl, env })
      await agent.ready()
      return agent
    },
    running: () => pidsWithEnvironment(`HOME=${path.join(data, 'servers/acdefghj/root')}`).length,
  })
})
afterEach(async () => {
  await story.end()
  await controlPlane.close()
  scratch.remove()
})

const cases = (['kill', 'throw', 'delay'] as const).flatMap((action) =>
  FAULT_NAMES.flatMap((name) =>
    (name === 'command.finished' ? [1, 2, 3] : [1]).map((visit) => ({ action, name, visit })),
  ),
)

describe('a real agent at every fault point', () => {
  // Each of the seven steps has a time-out of its own, which names it: that of the test must not come before it.
  it.each(sliceOf(cases, 6))(
    '$action at $name, visit $visit [A4, S-1 to S-5]',
    STORY,
    async ({ action, name, visit }) => {
      const first = await story.tell(`${name}:${visit}:${action}`, [
        'install',
        'start',
        'stop',
        'reinstall',
        'start',
        'suspend',
        'delete',
      ])
      const end = action === 'kill' ? await first.process.ended : undefined
      expect(end?.signal).toBe(action === 'kill' ? 'SIGKILL' : undefined)
    },
  )
})
