import { readFileSync } from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { realDisk, type Disk } from '../../../../agents/platform/disk.ts'
import { FULL_DISK_AGAIN_MS } from '../../../../agents/servers/auto-start.ts'
import { ServerRecord } from '../../../../agents/servers/state-file.ts'
import { nextId, SERVER_ID } from '../../../factories/server-spec.ts'
import { ServerRig } from '../../../support/server-rig.ts'
import { waitFor } from '../../../support/wait-for.ts'

// Fault 34: what must end ends on a full disk, nothing begins there, and it goes on by itself once there is room.
let rig: ServerRig
let isFull: boolean
const unlessFull = (): void => {
  if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
}
/** Takes no new file, and what was reserved while there was room. */
const crowded: Disk = {
  ...realDisk,
  writeAtomically: (file, text) => {
    unlessFull()
    realDisk.writeAtomically(file, text)
  },
  reserve: (file, bytes) => {
    unlessFull()
    realDisk.reserve(file, bytes)
  },
}
/** Takes nothing at all, as a disk that became read-only. */
const disk: Disk = {
  ...crowded,
  writeInReserve: (file, text) => {
    unlessFull()
    realDisk.writeInReserve(file, text)
  },
}

beforeEach(async () => {
  isFull = false
  rig = new ServerRig()
  await rig.agent({ change: { disk } })
  await rig.install()
})
afterEach(() => rig.remove())

const stored = (): ServerRecord =>
  ServerRecord.parse(JSON.parse(readFileSync(path.join(rig.folder, 'servers/acdefghj/state/server.json'), 'utf8')))
const running = (): number =>
  [...rig.world.tasks.values()].filter((task) => task !== 'ruled-out' && task.exit === undefined).length
const makeRoom = async (): Promise<void> => {
  isFull = false
  await rig.timers.advance(FULL_DISK_AGAIN_MS)
}

describe('a server on a full disk', () => {
  it.each(['kill', 'stop'] as const)('is ended by a %s, which is answered and recorded later', async (action) => {
    await rig.power('start')
    isFull = true
    expect(await rig.power(action)).toMatchObject({ ok: true, code: 'OK' })
    expect([rig.state(), running(), rig.states().at(-1)]).toEqual(['offline', 0, 'offline'])
    expect(stored().state).toBe('running')
    await makeRoom()
    expect(stored()).toMatchObject({ state: 'offline', task: null })
    expect(rig.activities()).toEqual([])
  })

  it('is ended when it is suspended, deleted or moved away [S-5]', async () => {
    await rig.power('start')
    isFull = true
    const spec = rig.spec({ generation: 2, suspended: true })
    await rig.manager.execute({
      id: nextId(),
      serverId: SERVER_ID,
      generation: 2,
      requestId: 'r',
      kind: 'update',
      spec,
    })
    await waitFor('the end', () => running() === 0)
    await waitFor('the state', () => rig.state() === 'offline')
    rig.manager.welcomed({ servers: [], fenced: [{ id: SERVER_ID, generation: 3 }] })
    expect(rig.server().core.record.fencedAt).toBe(3)
    const id = nextId()
    const deletion = {
      id,
      serverId: SERVER_ID,
      generation: 4,
      requestId: 'r',
      kind: 'delete',
      tombstone: true,
    } as const
    // Its folder goes, and with it what fills the disk.
    void rig.manager.execute(deletion)
    await waitFor('the deletion', () => rig.states().at(-1) === 'deleted')
    isFull = false
    if (rig.result(id)?.ok !== true) await rig.manager.execute(deletion)
    expect(rig.result(id)).toMatchObject({ ok: true })
  })

  it('is not started, with a sentence, and starts when there is room', async () => {
    isFull = true
    const begun = rig.world.begun.length
    expect(await rig.power('start')).toMatchObject({
      ok: false,
      code: 'DISK_FULL',
      detail: expect.stringContaining('full or read-only') as string,
    })
    expect([rig.state(), rig.world.begun.length]).toEqual(['offline', begun])
    isFull = false
    expect(await rig.power('start')).toMatchObject({ ok: true })
    expect(running()).toBe(1)
  })

  it('is not installed, with a sentence, and is installed when there is room', async () => {
    isFull = true
    expect(await rig.install()).toMatchObject({ ok: false, code: 'DISK_FULL' })
    const other = { id: nextId(), identifier: 'kmnpqrtu' }
    expect(await rig.install(other)).toMatchObject({ ok: false, code: 'DISK_FULL' })
    expect(rig.installs).toBe(1)
    isFull = false
    expect(await rig.install()).toMatchObject({ ok: true })
    expect(await rig.install(other)).toMatchObject({ ok: true })
    expect(rig.installs).toBe(3)
  })

  it('that crashes is told of once, and starts again by itself when there is room', async () => {
    await rig.power('start')
    isFull = true
    await rig.server().writeLine('crash')
    await waitFor('the crash', () => rig.state() === 'crashed')
    await rig.timers.advance(120_000)
    expect(running()).toBe(0)
    expect(rig.activities()).toEqual(['server:crashed'])
    await makeRoom()
    await rig.timers.advance(1_000)
    await waitFor('the start', () => rig.state() === 'running')
    expect(running()).toBe(1)
    expect(stored().state).toBe('running')
  })

  it('whose agent is killed meanwhile is found as it is, and runs at most once [S-1]', async () => {
    await rig.power('start')
    isFull = true
    expect(await rig.power('kill')).toMatchObject({ ok: true })
    isFull = false
    await rig.agent()
    expect(running()).toBe(0)
    expect(['offline', 'crashed']).toContain(rig.state())
  })

  it.each(['kill', 'stop'] as const)('is ended by the %s of a customer on its own socket [A23]', async (action) => {
    await rig.power('start')
    isFull = true
    expect(await rig.server().power(action)).toMatchObject({ ok: true })
    expect([running(), rig.state()]).toEqual([0, 'offline'])
  })

  it('is left as it is by a restart, which could not be finished [A23]', async () => {
    await rig.power('start')
    await waitFor('the start', () => rig.state() === 'running')
    isFull = true
    const begun = rig.world.begun.length
    expect(await rig.power('restart')).toMatchObject({ ok: false, code: 'DISK_FULL' })
    expect([running(), rig.state(), rig.world.begun.length]).toEqual([1, 'running', begun])
  })

  it('is ended by a welcome that suspends it, and stays so [A23, S-5]', async () => {
    await rig.power('start')
    isFull = true
    rig.manager.welcomed({ servers: [{ id: SERVER_ID, generation: 1, suspended: true }], fenced: [] })
    await waitFor('the end', () => rig.state() === 'offline')
    await makeRoom()
    await rig.agent({ change: { disk }, welcomed: false })
    await rig.timers.advance(3_600_000)
    expect(running()).toBe(0)
  })

  it('is taken in by an agent that comes back there, and can be killed [A23, S-2]', async () => {
    await rig.power('start')
    isFull = true
    await rig.agent({ change: { disk } })
    expect([running(), rig.server().core.isLive]).toEqual([1, true])
    expect(await rig.power('kill')).toMatchObject({ ok: true })
    expect([running(), rig.state()]).toEqual([0, 'offline'])
  })
})

describe('a server on a full disk where its record has room', () => {
  beforeEach(async () => {
    await rig.agent({ change: { disk: crowded } })
    await rig.power('start')
    await waitFor('the start', () => rig.state() === 'running')
    isFull = true
  })
  /** The agent is killed before there is room, and one more comes. */
  const comeBack = async (): Promise<void> => {
    await rig.agent({ change: { disk: crowded } })
    await rig.timers.advance(3_600_000)
  }

  it.each(['kill', 'stop'] as const)('stays down after a %s, also for the next agent [A23, S-1]', async (action) => {
    expect(await rig.power(action)).toMatchObject({ ok: true })
    expect(stored()).toMatchObject({ state: 'offline', task: null })
    await comeBack()
    expect([rig.state(), running(), rig.activities()]).toEqual(['offline', 0, []])
  })

  it.each(['kill', 'stop'] as const)(
    'is ended by a %s that an agent began and the next one found [A23]',
    async (action) => {
      // The agent is gone when the program hears of it: its record says no more than that the server was to end.
      const server = rig.server()
      const { driver } = server.core.deps
      const [signal, writeLine] = [driver.signal.bind(driver), driver.writeLine.bind(driver)]
      vi.spyOn(driver, 'signal').mockImplementation((...args) => (server.detach(), signal(...args)))
      vi.spyOn(driver, 'writeLine').mockImplementation((...args) => (server.detach(), writeLine(...args)))
      void server.power(action)
      await waitFor('the end', () => running() === 0)
      expect(stored().state).toBe('stopping')
      await comeBack()
      expect([rig.state(), running(), rig.activities()]).toEqual(['offline', 0, []])
    },
  )

  it('stays down after a suspension, and after many actions more [S-5]', async () => {
    rig.manager.welcomed({ servers: [{ id: SERVER_ID, generation: 1, suspended: true }], fenced: [] })
    await waitFor('the end', () => rig.state() === 'offline')
    for (let times = 0; times < 20; times += 1) await rig.power('stop', { suspended: true })
    expect(stored()).toEqual(rig.server().core.record)
    await comeBack()
    expect([rig.state(), running()]).toEqual(['offline', 0])
  })

  it('that crashes starts again when there is room, by the next agent too', async () => {
    await rig.server().writeLine('crash')
    await waitFor('the crash', () => rig.state() === 'crashed')
    await rig.timers.advance(1_000)
    await comeBack()
    expect([rig.state(), running()]).toEqual(['crashed', 0])
    await makeRoom()
    await rig.timers.advance(120_000)
    await waitFor('the start', () => rig.state() === 'running')
    expect(running()).toBe(1)
  })
})

it('takes no done text of the task before for its own, when an agent found that task running [S-3]', async () => {
  await rig.power('start')
  await waitFor('the start', () => rig.state() === 'running')
  const told: (string | undefined)[] = []
  await rig.agent({
    faults: (name) => {
      if (name === 'start.recorded') {
        // A viewer asks, or output of the task before wakes late.
        rig.server().core.refreshConsole()
        told.push(rig.state())
      }
      return Promise.resolve()
    },
  })
  expect(rig.state()).toBe('running')
  await rig.power('stop')
  await rig.power('start', { environment: { GAME_SLOW: '1' } })
  expect(told).toEqual(['starting'])
  expect(rig.state()).toBe('starting')
})
