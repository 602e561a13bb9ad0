import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { silentLog } from '#platform/logger.ts'
import { StorageForecast } from '../../../../agents/servers/storage-forecast.ts'
import { ServerRig } from '../../../support/server-rig.ts'
import { waitFor } from '../../../support/wait-for.ts'

const MIB = 1024 * 1024
const TEN_MINUTES_MS = 600_000
const limitBytes = 1_000 * MIB

describe('the forecast of the storage', () => {
  let rig: ServerRig
  let bytes: number
  let stop: () => void
  beforeEach(async () => {
    rig = new ServerRig()
    bytes = 600 * MIB
    await rig.agent()
    await rig.install()
    await rig.power('start')
    await waitFor('the server to run', () => rig.state() === 'running')
    const { timers, clock, manager } = rig
    const usage = () => ({ bytes, binBytes: 0, limitBytes })
    stop = new StorageForecast({ timers, clock, log: silentLog, servers: () => manager.all(), usage }).start()
  })
  afterEach(() => {
    stop()
    rig.remove()
  })

  /** One check every ten minutes, with so much growth before each. */
  const checks = async (count: number, growthMiB: number): Promise<void> => {
    for (let done = 0; done < count; done += 1) {
      bytes += growthMiB * MIB
      await rig.timers.advance(TEN_MINUTES_MS)
    }
  }
  const told = () => rig.activities().filter((type) => type === 'server:storage-filling').length

  it('is told once, as an activity and as a line of the console, and again after the growth has stopped', async () => {
    await checks(6, 10)
    expect(told()).toBe(0)
    await checks(1, 10)
    expect(told()).toBe(1)
    await waitFor('the note', () => rig.console().some((line) => line.includes('670 MiB of 1,000 MiB')))
    await checks(5, 10)
    expect(told()).toBe(1)
    await checks(7, 0)
    expect(told()).toBe(1)
    await checks(7, 20)
    expect(told()).toBe(2)
  })

  it('is told within the first hour too if it fills that fast, once', async () => {
    await checks(2, 120)
    expect(told()).toBe(0)
    await checks(1, 80)
    expect(told()).toBe(1)
    await waitFor('the note', () => rig.console().some((line) => line.includes('920 MiB of 1,000 MiB')))
    await checks(1, 30)
    expect(told()).toBe(1)
  })

  it('counts nothing before the first measurement, which would look like growth', async () => {
    const measured = bytes
    bytes = 0
    await checks(3, 0)
    bytes = measured
    await checks(12, 0)
    expect(told()).toBe(0)
  })

  it('says nothing of a stopped server, and forgets what it knew', async () => {
    await checks(6, 20)
    await rig.power('stop')
    await checks(6, 20)
    await rig.power('start')
    await waitFor('the server to run', () => rig.state() === 'running')
    bytes = 700 * MIB
    await checks(6, 20)
    expect(told()).toBe(0)
  })
})
