import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { silentLog } from '#platform/logger.ts'
import { isStorageExceeded } from '../../../../agents/quota/exceeded-storage.ts'
import { StorageWatcher } from '../../../../agents/servers/storage-watcher.ts'
import { ServerRig } from '../../../support/server-rig.ts'
import { SERVER_ID } from '../../../factories/server-spec.ts'
import { waitFor } from '../../../support/wait-for.ts'

const MIB = 1024 * 1024
const limitBytes = 1_000 * MIB

describe('a server whose program writes on', () => {
  let rig: ServerRig
  let bytes: number
  /** Happens while the storage is measured for a start. */
  let meanwhile: () => void
  let stop: () => void
  let watcher: StorageWatcher
  beforeEach(async () => {
    rig = new ServerRig()
    bytes = 1_099 * MIB
    const usage = () => ({ bytes, binBytes: 0, limitBytes })
    meanwhile = () => {}
    const exceededStorage = () => {
      meanwhile()
      return Promise.resolve(isStorageExceeded(usage()) ? usage() : undefined)
    }
    await rig.agent({ change: { exceededStorage } })
    await rig.install()
    await rig.power('start')
    await waitFor('the server to run', () => rig.state() === 'running')
    const { timers, manager } = rig
    watcher = new StorageWatcher({
      timers,
      log: silentLog,
      servers: () => manager.all(),
      usage,
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

  it('does not start again without room, says why each time, and starts when there is room', async () => {
    bytes = 2_000 * MIB
    await rig.timers.advance(30_000)
    await waitFor('the end', () => rig.state() === 'offline')
    const refused = { ok: false, code: 'STORAGE_EXCEEDED', detail: expect.stringContaining('2,000 MiB of 1,000 MiB') }
    expect(await rig.power('start')).toMatchObject(refused)
    expect([rig.state(), rig.server(SERVER_ID).core.record.task]).toEqual(['offline', null])
    expect(notes().slice(1)).toEqual([expect.stringContaining("wasn't started")])
    bytes = 10 * MIB
    expect(await rig.power('start')).toMatchObject({ ok: true })
    await rig.timers.advance(60_000)
    expect([rig.state(), notes().length]).toEqual(['running', 2])
  })

  it('does not start when it is suspended while its storage is measured', async () => {
    await rig.power('stop')
    meanwhile = () => Object.assign(rig.server().core.spec ?? {}, { suspended: true })
    expect(await rig.power('start')).toMatchObject({ ok: false, code: 'SUSPENDED' })
    expect(rig.state()).toBe('offline')
  })

  it('is not stopped for a restart that could not begin', async () => {
    bytes = 1_100 * MIB
    expect(await rig.power('restart')).toMatchObject({ ok: false, code: 'STORAGE_EXCEEDED' })
    expect(rig.states()).not.toContain('stopping')
    expect(rig.state()).toBe('running')
  })

  it('does not start by itself after a crash without room', async () => {
    stop()
    await rig.server().writeLine('crash')
    await waitFor('the crash', () => rig.state() === 'crashed')
    bytes = 1_100 * MIB
    await rig.timers.advance(600_000)
    await waitFor('the note', () => notes().some((note) => note.includes("wasn't started")))
    await rig.timers.advance(3_600_000)
    expect([rig.state(), rig.server().core.record.restartAtMs, notes().length]).toEqual(['crashed', null, 1])
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
