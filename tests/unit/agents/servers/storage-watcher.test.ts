import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { silentLog } from '#platform/logger.ts'
import { isStorageExceeded, StorageWatcher } from '../../../../agents/servers/storage-watcher.ts'
import { ServerRig } from '../../../support/server-rig.ts'
import { SERVER_ID } from '../../../factories/server-spec.ts'
import { waitFor } from '../../../support/wait-for.ts'

const MIB = 1024 * 1024
const limitBytes = 1_000 * MIB

describe('storage is exceeded', () => {
  it.each([
    ['nothing is measured yet', 0, 0, limitBytes, false],
    ['full', 1_000 * MIB, 0, limitBytes, false],
    ['a byte less than 110 %', 1_100 * MIB - 1, 0, limitBytes, false],
    ['110 %', 1_100 * MIB, 0, limitBytes, true],
    ['110 % with the bin', 1_000 * MIB, 100 * MIB, limitBytes, true],
    ['a server without a limit', 5_000 * MIB, 0, 0, false],
  ])('%s', (_case, bytes, binBytes, limit, isExceeded) => {
    expect(isStorageExceeded({ bytes, binBytes, limitBytes: limit })).toBe(isExceeded)
  })
})

describe('a server whose program writes on', () => {
  let rig: ServerRig
  let bytes: number
  let stop: () => void
  let watcher: StorageWatcher
  beforeEach(async () => {
    rig = new ServerRig()
    bytes = 1_099 * MIB
    await rig.agent()
    await rig.install()
    await rig.power('start')
    await waitFor('the server to run', () => rig.state() === 'running')
    const { timers, manager } = rig
    watcher = new StorageWatcher({
      timers,
      log: silentLog,
      servers: () => manager.all(),
      usage: () => ({ bytes, binBytes: 0, limitBytes }),
    })
    stop = watcher.start()
  })
  afterEach(() => {
    stop()
    rig.remove()
  })

  const notes = () => rig.console().filter((line) => line.includes('MiB'))

  it('goes on below 110 %, and is stopped there once, with a note and a line in its activities', async () => {
    await rig.timers.advance(60_000)
    expect([rig.state(), notes()]).toEqual(['running', []])
    bytes = 1_100 * MIB
    await rig.timers.advance(60_000)
    await waitFor('the end', () => rig.state() === 'offline')
    expect(notes()).toEqual([expect.stringContaining('1,100 MiB of 1,000 MiB')])
    expect(rig.activities().filter((type) => type === 'server:storage-exceeded')).toHaveLength(1)
    await rig.timers.advance(3_600_000)
    expect([rig.state(), rig.server().core.record.restartAtMs, notes().length]).toEqual(['offline', null, 1])
  })

  it('is stopped again when somebody starts it without making room, and stays when there is room', async () => {
    bytes = 2_000 * MIB
    await rig.timers.advance(30_000)
    await waitFor('the first end', () => rig.state() === 'offline')
    await rig.power('start')
    await rig.timers.advance(30_000)
    await waitFor('the second end', () => rig.state() === 'offline')
    expect(notes()).toHaveLength(2)
    bytes = 10 * MIB
    await rig.power('start')
    await rig.timers.advance(60_000)
    expect([rig.state(), rig.server(SERVER_ID).core.isLive]).toEqual(['running', true])
  })

  it('is told once, however long its stop takes', async () => {
    bytes = 1_100 * MIB
    watcher.check()
    watcher.check()
    await waitFor('the end', () => rig.state() === 'offline')
    expect(notes()).toHaveLength(1)
  })

  it('is told nothing while somebody else stops it', async () => {
    bytes = 1_100 * MIB
    rig.server().core.move('stopping')
    watcher.check()
    await rig.timers.advance(1)
    expect(notes()).toEqual([])
  })
})
