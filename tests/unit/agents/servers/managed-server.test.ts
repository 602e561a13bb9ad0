import { afterEach, beforeEach, expect, it } from 'vitest'

import { ServerRig } from '../../../support/server-rig.ts'
import { SERVER_ID } from '../../../factories/server-spec.ts'
import { waitFor } from '../../../support/wait-for.ts'

let rig: ServerRig
beforeEach(async () => {
  rig = new ServerRig()
  await rig.agent()
  await rig.install()
  await rig.power('start')
  await waitFor('the server to run', () => rig.state() === 'running')
})
afterEach(() => rig.remove())

const programs = (): number =>
  [...rig.world.tasks.values()].filter((task) => task !== 'ruled-out' && task.exit === undefined).length

/** The agent is killed after the reason is on its disk, and before it began to end the server. */
it.each([
  ['another node has it since', () => rig.server().core.save({ fencedAt: 2 })],
  ['it is suspended', () => rig.server().core.save({ spec: rig.spec({ suspended: true }) })],
])('an agent that is killed at once ends the server on its return: %s [A15, S-1, S-5]', async (_, takeDown) => {
  takeDown()
  expect(programs()).toBe(1)
  // No control plane is there to say it again.
  const manager = await rig.agent({ welcomed: false })
  await rig.timers.advance(20_000)
  expect(programs()).toBe(0)
  expect(manager.find(SERVER_ID)?.core.record.state).toBe('offline')
  await rig.timers.advance(3_600_000)
  expect(programs()).toBe(0)
})
