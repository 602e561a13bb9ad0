import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeDriver } from '../../../../agents/runtime/fake/fake-driver.ts'
import type { TaskHandle } from '../../../../agents/runtime/driver/task-handle.ts'
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

it('the runtime keeps no record of a failed installation', async () => {
  rig.installExit = 1
  expect(await rig.install({ generation: 2 })).toMatchObject({ ok: false, code: 'INSTALL_FAILED' })
  await expect.poll(kept).toEqual([])
})

it('the runtime keeps no record of a program that could not be started', async () => {
  const result = await rig.power('start', { startup: { argv: ['no such program'] } })
  expect(result).toMatchObject({ ok: false, code: 'PROGRAM_NOT_STARTED' })
  await expect.poll(kept).toEqual([])
})

it('the runtime keeps no record of an ended program that no server names any more', async () => {
  await started()
  rig.server().core.save({ task: null, state: 'offline' })
  rig.world.loseEverything(rig.clock.now())
  expect(kept()).toHaveLength(1)
  await rig.agent({ welcomed: false })
  await expect.poll(kept).toEqual([])
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

it('the runtime’s record is removed later when it cannot be removed now', async () => {
  let refusals = 0
  class Forgetful extends FakeDriver {
    override forget(handle: TaskHandle): Promise<void> {
      if (handle.kind !== 'server' || refusals === 2) return super.forget(handle)
      refusals += 1
      return Promise.reject(new Error('the engine does not answer'))
    }
  }
  await rig.agent({ change: { driver: new Forgetful(rig.world, rig.clock) } })
  await started()
  await rig.power('stop')
  await expect.poll(() => rig.state()).toBe('offline')
  expect(kept()).toHaveLength(1)
  await expect
    .poll(async () => {
      await rig.timers.advance(1_000)
      return kept()
    })
    .toEqual([])
  expect(refusals).toBe(2)
})

it.each(['start', 'installation'])(
  'a mistake of ours during the %s is not told as a failed program',
  async (during) => {
    class Broken extends FakeDriver {
      override start(): ReturnType<FakeDriver['start']> {
        return Promise.reject(new TypeError('a mistake'))
      }
    }
    await rig.agent({ change: { driver: new Broken(rig.world, rig.clock) } })
    const before = rig.console()
    const end = during === 'start' ? await rig.power('start') : await rig.install({ generation: 2 })
    expect(end).toMatchObject({ ok: false, code: 'INTERNAL' })
    expect(JSON.stringify([end, rig.console().slice(before.length)])).not.toContain('a mistake')
  },
)

describe('a server without automatic start', () => {
  beforeEach(() => rig.power('start', { autoStart: false }))

  it('stays stopped after a crash, and its console says why', async () => {
    await isIn('running')
    await rig.server().writeLine('crash')
    await isIn('crashed')
    expect(rig.server().core.record.restartAtMs).toBeNull()
    expect(rig.console().some((line) => line.includes('its automatic start is off'))).toBe(true)
    await rig.timers.advance(180_000)
    expect(rig.state()).toBe('crashed')
  })

  it('stays stopped after a restart of its machine', async () => {
    await isIn('running')
    rig.reboot()
    const manager = await rig.agent({ welcomed: false })
    expect(manager.find(SERVER_ID)?.core.record).toMatchObject({ state: 'offline', restartAtMs: null })
  })
})
