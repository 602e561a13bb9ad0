import fs from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { MAX_CHOSEN, MAX_JOB_THINGS } from '#contracts/panel/node-files.ts'
import { removeTree } from '../../../agents/files/remove-tree.ts'
import { HeldFolder } from '../../../agents/platform/held-folder.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { FileWorkerRig } from '../../support/file-operations.ts'
import { codeOf, FilesRig } from '../../support/files-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

const MANY = 2_500
/** So many that nobody has deleted them before a test has cancelled. */
const VERY_MANY = 10_000

let files: FilesRig
beforeEach(async () => {
  files = await FilesRig.open()
})
afterEach(() => files.close())

/** Empty files, made at once. */
const fill = (folder: string, count: number): string[] => {
  const place = path.join(files.root, folder)
  fs.mkdirSync(place, { recursive: true })
  const names = Array.from({ length: count }, (_, index) => `file-${index}`)
  for (const name of names) fs.closeSync(fs.openSync(path.join(place, name), 'w'))
  files.own()
  return names.map((name) => path.posix.join(folder, name))
}
const jobs = async () => ((await files.call('jobs', { deletionJobs: true })).json as { jobs: FileJob[] }).jobs
const jobOf = async (id: string) => (await jobs()).find((job) => job.id === id)
const bin = async () => ((await files.call('bin', {})).json as { entries: { path: string }[] }).entries
/** The job once it has removed some of it: the answer to its start comes later. */
const underway = (call: 'delete' | 'empty-bin', input: object): Promise<FileJob> => {
  void files.call(call, { ...input, deletionJobs: true } as never)
  return waitFor('some of it to be done', async () =>
    (await jobs()).find(({ kind, state, done }) => kind === call && state === 'running' && done > 0),
  )
}
const left = (folder: string) => fs.readdirSync(path.join(files.root, folder)).length
const parts = () => fs.readdirSync(path.join(files.area, 'parts')).length

describe('many things', () => {
  it('go to the bin by one job, each of which can be restored', async () => {
    const paths = fill('', MANY)
    const job = await files.job('delete', { paths })
    expect([job.state, job.things, job.done, job.refusals.every((each) => each === null)]).toEqual([
      'done',
      MANY,
      MANY,
      true,
    ])
    expect(files.tree()).toEqual([])
    expect((await bin()).map((entry) => entry.path).sort()).toEqual([...paths].sort())
    expect(files.activities).toContainEqual(
      expect.objectContaining({ type: 'server:file.delete', detail: `file-0 (+${MANY - 1})` }),
    )
  }, 240_000)

  it('are copied by one job beside what has their names, and none of them is left out', async () => {
    const paths = fill('', 15)
    const moves = paths.map((from) => ({ from, to: from }))
    const job = await files.job('copy', { moves, taken: 'number' })
    expect([job.state, job.refusals]).toEqual(['done', moves.map(() => null)])
    expect(files.tree()).toEqual([...paths, ...paths.map((name) => `${name} (2)`)].sort())
  })

  it('that are too many for a request are no fault of a path', async () => {
    const paths = Array.from({ length: MAX_JOB_THINGS + 1 }, (_, index) => `f${index}`)
    expect(codeOf(await files.call('delete', { paths }))).toBe('INVALID_REQUEST')
    const moves = paths.slice(0, MAX_CHOSEN + 1).map((from) => ({ from, to: `${from}x` }))
    expect(codeOf(await files.call('move', { moves }))).toBe('INVALID_REQUEST')
    expect(codeOf(await files.call('move', { moves: [{ from: '../a', to: 'b' }] }))).toBe('INVALID_PATH')
  })
})

describe('a client of the release before', () => {
  const oldJobs = async () => ((await files.call('jobs', {})).json as { jobs: FileJob[] }).jobs

  it('is answered when everything is deleted, and reads no job of it', async () => {
    fill('world', VERY_MANY)
    const answer = files.call('delete', { paths: ['world', 'missing'], forever: true })
    await waitFor('some of it to be done', async () => (await jobs()).some(({ done }) => done > 0))
    expect(await oldJobs()).toEqual([])
    expect((await answer).json).toMatchObject({ refusals: [null, 'NOT_FOUND'] })
    expect([files.tree(), parts()]).toEqual([[], 0])
    expect((await files.call('empty-bin', {})).status).toBe(200)
    expect(await oldJobs()).toEqual([])
    expect((await jobs()).map(({ kind, state }) => [kind, state])).toEqual([
      ['empty-bin', 'done'],
      ['delete', 'done'],
    ])
  }, 240_000)

  it('is told of a deletion that somebody has cancelled, and not that it is done', async () => {
    fill('world', VERY_MANY)
    const answer = files.call('delete', { paths: ['world'], forever: true })
    const job = await waitFor('some of it to be done', async () => (await jobs()).find(({ done }) => done > 0))
    await files.call('end-job', { id: job.id })
    expect(codeOf(await answer)).toBe('BUSY')
  }, 240_000)
})

describe('a deletion for good', () => {
  it('says how far it is, and leaves what is not deleted when it is cancelled', async () => {
    fill('world', VERY_MANY)
    const { id, ...running } = await underway('delete', { paths: ['world'], forever: true })
    expect(running).toMatchObject({ kind: 'delete', path: 'world', state: 'running', total: VERY_MANY + 1 })
    await files.call('end-job', { id })
    await waitFor('its end', async () => (await jobOf(id))?.state === 'cancelled')
    await waitFor('the rest to be back', () => files.exists('world') && parts() === 0)
    expect(left('world')).toBeGreaterThan(0)
    expect(left('world')).toBeLessThan(VERY_MANY)
    expect(files.activities.map(({ type, detail }) => [type, detail])).toEqual([['server:file.delete', 'world']])
  }, 240_000)

  it('puts back what is left before its worker ends, and is in the log of activities', async () => {
    fill('world', VERY_MANY)
    const { id } = await underway('delete', { paths: ['world'], forever: true })
    await files.workers.end({ serverId: files.rig.server().core.id, stateFile: '' })
    await waitFor('its end', async () => (await jobOf(id))?.state === 'failed')
    expect([parts(), files.exists('world')]).toEqual([0, true])
    expect(left('world')).toBeGreaterThan(0)
    expect(files.activities.map(({ type, detail }) => [type, detail])).toEqual([['server:file.delete', 'world']])
  }, 240_000)

  it('goes on without the request that began it, and deletes everything', async () => {
    fill('world', VERY_MANY)
    const { id } = await underway('delete', { paths: ['world'], forever: true })
    const ended = await waitFor(
      'its end',
      async () => {
        const job = await jobOf(id)
        return job !== undefined && job.endedAtMs !== null && job
      },
      120_000,
    )
    expect(ended).toMatchObject({ state: 'done', done: VERY_MANY + 1, total: VERY_MANY + 1, refusals: [null] })
    expect([files.tree(), parts()]).toEqual([[], 0])
    expect(await bin()).toEqual([])
  }, 240_000)
})

describe('emptying the bin', () => {
  it('is a job that says how far it is; cancelled, it leaves the rest in the bin', async () => {
    fill('small', 1)
    fill('large', VERY_MANY)
    // Folders have blocks as well, and the bin takes a tenth of the storage.
    await files.job('delete', { paths: ['small'] })
    await files.job('delete', { paths: ['large'] })
    expect((await bin()).length).toBe(2)
    const { id, ...running } = await underway('empty-bin', {})
    expect(running).toMatchObject({ kind: 'empty-bin', path: '', total: VERY_MANY + 3 })
    await files.call('end-job', { id })
    await waitFor('its end', async () => (await jobOf(id))?.state === 'cancelled')
    await waitFor('the entry that had begun to go', () => parts() === 0)
    const rest = (await bin()).map((entry) => entry.path)
    expect(rest.length).toBeLessThan(2)
    expect(rest).not.toContain('large')
    const job = await files.job('empty-bin', {})
    expect([job.state, await bin()]).toEqual(['done', []])
  }, 240_000)
})

describe('the rest of something that is no longer deleted', () => {
  it('is back at its path, or under a number beside what has that by then', async () => {
    const scratch = scratchFolder()
    const rig = new FileWorkerRig(scratch.path)
    for (const isTaken of [false, true]) {
      rig.layOut()
      for (let index = 0; index < 200; index += 1) fs.writeFileSync(path.join(rig.root, `world/f${index}`), '')
      const { jobs: work } = await rig.begin()
      const cancelled = new AbortController()
      const progress = (done: number): void => {
        if (done < 40 || cancelled.signal.aborted) return
        if (isTaken) fs.mkdirSync(path.join(rig.root, 'world'))
        if (isTaken) fs.writeFileSync(path.join(rig.root, 'world/new'), '')
        cancelled.abort()
      }
      const asked = { paths: ['ops.json', 'world', 'mods.tar'], forever: true }
      const room = { limitBytes: 1e9, freeBytes: 1e9, measurement: 1 }
      await expect(work.delete(asked, { signal: cancelled.signal, progress }, room)).rejects.toThrow('BUSY')
      const rest = fs.readdirSync(path.join(rig.root, isTaken ? 'world (2)' : 'world'))
      expect(rest.length).toBeGreaterThan(0)
      expect(rest.length).toBeLessThan(200)
      expect(fs.readdirSync(rig.root).sort()).toEqual(
        isTaken ? ['mods.tar', 'world', 'world (2)'] : ['mods.tar', 'world'],
      )
      expect(fs.readdirSync(path.join(rig.area, 'parts'))).toEqual([])
    }
    await rig.close()
    scratch.remove()
  })
})

describe('sweeps of the bin at once', () => {
  const ROOM = { limitBytes: 1e9, freeBytes: 1e9, measurement: 1 }
  const WORK = { signal: new AbortController().signal, progress: () => {} }
  const DAY_MS = 24 * 3_600_000

  it('do not disturb each other, and fail no deletion', async () => {
    const scratch = scratchFolder()
    const rig = new FileWorkerRig(scratch.path)
    rig.layOut()
    for (let index = 0; index < 400; index += 1) fs.writeFileSync(path.join(rig.root, `world/f${index}`), '')
    const { jobs: work, bin: swept } = await rig.begin()
    await work.delete({ paths: ['world'], forever: false }, WORK, ROOM)
    rig.now = () => Date.now() + 8 * DAY_MS
    const ends = await Promise.allSettled([
      work.delete({ paths: ['ops.json'], forever: false }, WORK, ROOM),
      work.delete({ paths: ['mods.tar'], forever: false }, WORK, ROOM),
      swept.sweep(ROOM.limitBytes),
      swept.sweep(ROOM.limitBytes),
    ])
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'fulfilled'))
    expect(ends.slice(0, 2)).toEqual(
      ends.slice(0, 2).map(() => expect.objectContaining({ value: expect.objectContaining({ refusals: [null] }) })),
    )
    expect((await swept.list()).map((entry) => entry.path).sort()).toEqual(['mods.tar', 'ops.json'])
    expect(fs.readdirSync(path.join(rig.area, 'parts'))).toEqual([])
    await rig.close()
    scratch.remove()
  })

  it('leave the result of a deletion that they follow, also where a sweep fails', async () => {
    const scratch = scratchFolder()
    const rig = new FileWorkerRig(scratch.path)
    rig.layOut()
    let fails = false
    const { jobs: work } = await rig.begin((point) =>
      fails && point === 'bin.leaving' ? Promise.reject(new Error('the disk')) : Promise.resolve(),
    )
    await work.delete({ paths: ['world'], forever: false }, WORK, ROOM)
    rig.now = () => Date.now() + 8 * DAY_MS
    fails = true
    const { refusals } = await work.delete({ paths: ['ops.json'], forever: false }, WORK, ROOM)
    expect([refusals, fs.existsSync(path.join(rig.root, 'ops.json'))]).toEqual([[null], false])
    await rig.close()
    scratch.remove()
  })

  it('remove one tree together', async () => {
    const scratch = scratchFolder()
    for (let index = 0; index < 400; index += 1) {
      fs.mkdirSync(path.join(scratch.path, `tree/d${index % 7}`), { recursive: true })
      fs.writeFileSync(path.join(scratch.path, `tree/d${index % 7}/f${index}`), '')
    }
    const folder = await HeldFolder.open(scratch.path)
    const name = Buffer.from('tree')
    await Promise.all(Array.from({ length: 4 }, () => removeTree(folder, name, () => {})))
    expect(fs.readdirSync(scratch.path)).toEqual([])
    await folder.close()
    scratch.remove()
  })
})
