import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { realDisk, type Disk } from '../../../../agents/platform/disk.ts'
import { readRecord } from '../../../../agents/servers/state-file.ts'
import { nextId, SERVER_ID } from '../../../factories/server-spec.ts'
import { ServerRig } from '../../../support/server-rig.ts'
import { waitFor } from '../../../support/wait-for.ts'

let rig: ServerRig
let isFull: boolean
const disk: Disk = {
  ...realDisk,
  writeAtomically: (file, text) => {
    if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    realDisk.writeAtomically(file, text)
  },
}

beforeEach(async () => {
  isFull = false
  rig = new ServerRig()
  await rig.agent({ change: { disk } })
  await rig.install()
  await rig.power('start')
  await waitFor('the server to run', () => rig.state() === 'running')
})
afterEach(() => rig.remove())

const programs = (): number =>
  [...rig.world.tasks.values()].filter((task) => task !== 'ruled-out' && task.exit === undefined).length
const onDisk = () => {
  const reading = readRecord(realDisk, rig.server().core.layout, 0)
  return reading.is === 'read' ? { state: reading.record.state, task: reading.record.task !== null } : undefined
}
const run = async <Result>(action: Promise<Result>): Promise<Result> => {
  await rig.timers.advance(1_000)
  return action
}

describe('a disk that takes nothing [A21, fault 34]', () => {
  it.each(['kill', 'stop'] as const)(
    'lets the control plane %s the server at once, and hears of it',
    async (action) => {
      isFull = true
      expect(await run(rig.power(action))).toMatchObject({ ok: true, code: 'OK' })
      expect([programs(), rig.state(), rig.states().at(-1)]).toEqual([0, 'offline', 'offline'])
      expect(onDisk()).toEqual({ state: 'running', task: true })
    },
  )

  it.each(['kill', 'stop'] as const)('lets a customer %s the server', async (action) => {
    isFull = true
    expect(await run(rig.server().power(action))).toMatchObject({ ok: true })
    expect([programs(), rig.state()]).toEqual([0, 'offline'])
  })

  it('writes what it kept in memory as soon as there is room, and forgets the task only then', async () => {
    isFull = true
    const id = nextId()
    await run(rig.power('kill', {}, { id }))
    const known = () => [...rig.world.tasks.values()].filter((task) => task !== 'ruled-out').length
    const before = known()
    await rig.timers.advance(60_000)
    expect([known(), onDisk()?.state]).toEqual([before, 'running'])
    isFull = false
    await rig.timers.advance(5_000)
    expect([known(), onDisk()]).toEqual([before - 1, { state: 'offline', task: false }])
    await rig.agent({ change: { disk } })
    await rig.timers.advance(3_600_000)
    expect([rig.state(), programs()]).toEqual(['offline', 0])
    // The answer is remembered with the rest: a command delivered again is answered and not run again.
    await rig.power('start')
    expect(await run(rig.power('kill', {}, { id }))).toMatchObject({ ok: true, code: 'OK' })
    expect(programs()).toBe(1)
  })

  it('lets nothing begin: a start is refused, and a restart leaves the server as it is', async () => {
    isFull = true
    expect(await run(rig.power('restart'))).toMatchObject({ ok: false, code: 'INTERNAL' })
    expect([programs(), rig.state()]).toEqual([1, 'running'])
    await run(rig.power('kill'))
    expect(await run(rig.power('start'))).toMatchObject({ ok: false, code: 'INTERNAL' })
    expect([programs(), rig.state()]).toEqual([0, 'offline'])
    isFull = false
    expect(await run(rig.power('start'))).toMatchObject({ ok: true })
    expect(programs()).toBe(1)
  })

  it.each([
    ['an update that suspends it', () => rig.manager.execute(update())],
    ['a welcome that suspends it', () => rig.manager.welcomed({ servers: [said({ suspended: true })], fenced: [] })],
    [
      'a welcome that fences it',
      () => rig.manager.welcomed({ servers: [], fenced: [{ id: SERVER_ID, generation: 9 }] }),
    ],
  ])('keeps no server from its end: %s [A15, S-5]', async (_, take) => {
    isFull = true
    await run(Promise.resolve(take()))
    await rig.timers.advance(1_000)
    expect([programs(), rig.state()]).toEqual([0, 'offline'])
    isFull = false
    await rig.timers.advance(10_000)
    await rig.agent({ change: { disk }, welcomed: false })
    await rig.timers.advance(3_600_000)
    expect(programs()).toBe(0)
  })

  it('deletes a server, which is what makes room', async () => {
    isFull = true
    const removed: Disk = { ...disk, remove: (target) => ((isFull = false), realDisk.remove(target)) }
    await rig.agent({ change: { disk: removed } })
    const id = nextId()
    const fields = { id, serverId: SERVER_ID, generation: 2, requestId: 'r' }
    await run(rig.manager.execute({ ...fields, kind: 'delete', tombstone: true }))
    expect([programs(), rig.result(id)?.ok]).toEqual([0, true])
  })

  it('is no reason for an agent that comes back to lose a server: it is taken in, and can be killed', async () => {
    isFull = true
    await rig.agent({ change: { disk } })
    expect(rig.state()).toBe('running')
    expect(await run(rig.power('kill'))).toMatchObject({ ok: true })
    expect([programs(), rig.state()]).toEqual([0, 'offline'])
  })

  it('does not lose a crash of which it could not write: it is told, and started again, when there is room', async () => {
    isFull = true
    await rig.server().writeLine('crash')
    await rig.agent({ change: { disk } })
    await rig.timers.advance(60_000)
    expect(programs()).toBe(0)
    isFull = false
    await rig.timers.advance(60_000)
    expect([programs(), rig.state()]).toEqual([1, 'running'])
    expect(rig.activities().filter((type) => type === 'server:crashed')).toHaveLength(1)
  })
})

const said = (more: object) => ({ id: SERVER_ID, generation: 1, ...more })
const update = () => {
  const spec = rig.spec({ suspended: true, generation: 2 })
  return { id: nextId(), serverId: SERVER_ID, generation: 2, requestId: 'r', kind: 'update' as const, spec }
}
