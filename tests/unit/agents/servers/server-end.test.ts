import { afterEach, beforeEach, expect, it } from 'vitest'

import { ServerRig } from '../../../support/server-rig.ts'
import { SERVER_ID } from '../../../factories/server-spec.ts'
import { waitFor } from '../../../support/wait-for.ts'

let rig: ServerRig
beforeEach(async () => {
  rig = new ServerRig()
  await rig.agent()
  await rig.install()
})
afterEach(() => rig.remove())

const kept = (): string[] => [...rig.world.tasks.keys()]
const isIn = (state: string) => waitFor(`the server to be ${state}`, () => rig.state() === state)
const started = async (): Promise<void> => {
  await rig.power('start')
  await isIn('running')
}

it('the runtime keeps no record of a finished installation', () => {
  expect(rig.world.begun).toHaveLength(1)
  expect(kept()).toEqual([])
})

it('the runtime keeps the record of a running program, and none of a stopped one', async () => {
  await started()
  expect(kept()).toHaveLength(1)
  await rig.power('stop')
  await expect.poll(kept).toEqual([])
})

it('the runtime keeps no record of a killed program', async () => {
  await started()
  await rig.power('kill')
  await expect.poll(kept).toEqual([])
})

it('the runtime keeps no record of a crashed program', async () => {
  await started()
  await rig.server().writeLine('crash')
  await isIn('crashed')
  await expect.poll(kept).toEqual([])
})

it('the runtime keeps no record of a program that ended during its start', async () => {
  await rig.power('start', { environment: { GAME_EXIT_ON_START: '7' } })
  await isIn('startup_failed')
  await expect.poll(kept).toEqual([])
})

it('the runtime keeps no record of a program that ended with its machine', async () => {
  await started()
  const [before] = kept()
  rig.reboot()
  const manager = await rig.agent({ welcomed: false })
  await expect.poll(kept).not.toContain(before)
  expect(manager.find(SERVER_ID)?.core.record).toMatchObject({ state: 'offline', task: null })
})
