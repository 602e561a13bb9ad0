import path from 'node:path'

import { mkdirSync, rmSync } from 'node:fs'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { silentLog } from '#platform/logger.ts'
import { FakeDriver } from '../../../../agents/runtime/fake/fake-driver.ts'
import type { TaskSample } from '../../../../agents/runtime/driver/runtime-driver.ts'
import { Watcher } from '../../../../agents/quota/watcher/watcher.ts'
import { DiskUsage } from '../../../../agents/quota/disk-usage.ts'
import { StatsSampler } from '../../../../agents/stats/sampler.ts'
import { ServerStats } from '../../../../src/contracts/panel/messages.ts'
import { nextId } from '../../../factories/server-spec.ts'
import { ServerRig } from '../../../support/server-rig.ts'

const SECOND = 1_000
const NOBODY = { of: () => null, history: () => null }

let rig: ServerRig
let sampler: StatsSampler
let warnings: string[]
/** The runtime's answer when it is asked; undefined: what the fake world says. */
let answer: ((ordinary: TaskSample | undefined) => Promise<TaskSample | undefined>) | undefined
let asked: number
/** Looks at folders, and the folders that are looked at no more. */
let walks: number
let forgotten: string[]

beforeEach(async () => {
  rig = new ServerRig()
  answer = undefined
  asked = 0
  warnings = []
  const driver = new FakeDriver(rig.world, rig.clock)
  const ordinary = driver.sample.bind(driver)
  driver.sample = async (task) => {
    asked += 1
    const sample = await ordinary(task)
    return answer === undefined ? sample : answer(sample)
  }
  await rig.agent({ change: { driver } })
  await rig.install()
  const { clock, timers } = rig
  const disk = new DiskUsage(clock)
  walks = 0
  disk.of = (folder) => (path.basename(folder) === 'root' ? (walks += 1) : 0)
  forgotten = []
  disk.forget = (folder) => void forgotten.push(folder)
  sampler = new StatsSampler({
    clock,
    timers,
    quotas: { of: () => new Watcher(disk) },
    log: { ...silentLog, warn: (_fields, message) => void warnings.push(message) },
    players: NOBODY,
    servers: () => rig.manager.all().map(({ core }) => core),
  })
  sampler.start()
})
afterEach(() => {
  sampler.stop()
  rig.remove()
})

const watch = () => {
  const seen: ServerStats[] = []
  const stop = sampler.watch(rig.server().core, (json) => seen.push(ServerStats.parse(JSON.parse(json))))
  return { seen, stop }
}
const history = () => sampler.history(rig.server().core, { fromMs: 0, step: 1 })
const withNetwork =
  (received: () => number, sent: () => number) =>
  (sample: TaskSample | undefined): Promise<TaskSample | undefined> =>
    Promise.resolve(sample && { ...sample, network: { receivedBytes: received(), sentBytes: sent() } })

describe('statistics of all servers', () => {
  it('are taken once a second for whoever watches, and cost nothing for a stopped server that nobody watches', async () => {
    await rig.timers.advance(3 * SECOND)
    expect([asked, walks]).toEqual([0, 0])
    const { seen, stop } = watch()
    await rig.timers.advance(3 * SECOND)
    expect(seen.map(({ state, cpu_absolute: cpu, uptime }) => ({ state, cpu, uptime }))).toEqual(
      Array.from({ length: 3 }, () => ({ state: 'offline', cpu: 0, uptime: 0 })),
    )
    stop()
    await rig.timers.advance(3 * SECOND)
    expect(seen).toHaveLength(3)
    expect(history().times).toEqual([])
  })

  it('are kept of a running server, watched or not, and have a hole where it did not run', async () => {
    await rig.power('start')
    await rig.timers.advance(4 * SECOND)
    const first = history()
    expect(first.times).toHaveLength(4)
    // The fake world gives half a core; the first look has nothing to compare with.
    expect(first.cpu.avg).toEqual([0, 50, 50, 50])
    expect(first.memory.max).toEqual([64 << 20, 64 << 20, 64 << 20, 64 << 20])
    await rig.power('stop')
    await rig.timers.advance(5 * SECOND)
    await rig.power('start')
    await rig.timers.advance(2 * SECOND)
    const { times } = history()
    const steps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
    expect(steps).toEqual([1, 1, 1, 6, 1])
  })

  it('turn counters of bytes into rates, from null when nobody can tell and from zero when a counter began again', async () => {
    await rig.power('start')
    await rig.timers.advance(SECOND)
    expect(history().network).toBeNull()
    let received = 10_000
    let sent = 0
    answer = withNetwork(
      () => received,
      () => sent,
    )
    await rig.timers.advance(SECOND)
    received += 3_000
    sent += 500
    await rig.timers.advance(SECOND)
    // The program was started again: its counters are at the beginning.
    received = 700
    sent = 200
    await rig.timers.advance(SECOND)
    expect(history().network).toMatchObject({
      received: { avg: [0, 0, 3_000, 700] },
      sent: { avg: [0, 0, 500, 200] },
    })
  })

  it('leave a server out that has not answered the last look, and hold up no other', async () => {
    const other = nextId()
    await rig.install({ id: other, identifier: 'kmnpqrtu' })
    await rig.power('start')
    await rig.power('start', { id: other, identifier: 'kmnpqrtu' })
    let release = (): void => {}
    let stuck = 0
    const slow = rig.server().core.record.task?.taskId
    const driver = rig.server().core.deps.driver
    const ordinary = driver.sample.bind(driver)
    driver.sample = async (task, folders) => {
      if (task.taskId !== slow) return ordinary(task, folders)
      stuck += 1
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return ordinary(task, folders)
    }
    await rig.timers.advance(5 * SECOND)
    expect(stuck).toBe(1)
    expect(sampler.history(rig.server(other).core, { fromMs: 0, step: 1 }).times).toHaveLength(5)
    release()
    await rig.timers.advance(SECOND)
    expect(stuck).toBe(2)
    release()
  })

  it('survive a runtime that fails, tell it, and go on', async () => {
    await rig.power('start')
    answer = () => Promise.reject(new Error('The runtime does not answer.'))
    await rig.timers.advance(2 * SECOND)
    expect(warnings).toEqual(['statistics not measured', 'statistics not measured'])
    answer = undefined
    await rig.timers.advance(2 * SECOND)
    expect(history().times).toHaveLength(2)
  })

  it('go to the watchers when the disk takes no history, and tell that once until it takes some again', async () => {
    await rig.power('start')
    const { statsFile } = rig.server().core.layout
    rmSync(statsFile, { force: true })
    mkdirSync(statsFile)
    const { seen } = watch()
    await rig.timers.advance(3 * SECOND)
    expect(seen).toHaveLength(3)
    expect(warnings).toEqual(['the history of statistics is not written'])
    rmSync(statsFile, { recursive: true })
    await rig.timers.advance(2 * SECOND)
    expect(history().times).toHaveLength(2)
    rmSync(statsFile)
    mkdirSync(statsFile)
    await rig.timers.advance(2 * SECOND)
    expect(warnings).toHaveLength(2)
  })

  it('answer with the last look while the state is the same, and with a new one after it changed', async () => {
    const { core } = rig.server()
    expect((await sampler.latest(core)).state).toBe('offline')
    await rig.power('start')
    expect((await sampler.latest(core)).state).toBe('running')
    const before = asked
    await sampler.latest(core)
    expect(asked).toBe(before)
  })

  it('forget a server that was deleted: a new one of its name begins at nothing', async () => {
    await rig.power('start')
    await rig.timers.advance(2 * SECOND)
    const { core } = rig.server()
    const { seen } = watch()
    await rig.power('stop')
    await rig.manager.execute({
      id: nextId(),
      serverId: core.id,
      generation: 9,
      requestId: 'r',
      kind: 'delete',
      tombstone: true,
    })
    const told = seen.length
    await rig.timers.advance(3 * SECOND)
    expect(seen).toHaveLength(told)
    expect(forgotten).toEqual([core.layout.root, core.layout.files])
    expect(sampler.history(core, { fromMs: 0, step: 1 }).times).toEqual([])
  })
})
