import fs from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { FILE_FAULTS } from '../../../agents/files/file-faults.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { REPORT_NAME } from '../../../agents/files/transferring/transfer-wire.ts'
import { tarOf } from '../../support/archives.ts'
import { bytesOf, FileWorkerRig, markAt } from '../../support/file-operations.ts'

const ROOM = { limitBytes: 1e9, freeBytes: 1e9, measurement: 1 }
let scratch: ReturnType<typeof scratchFolder>
let rig: FileWorkerRig
beforeEach(() => {
  scratch = scratchFolder()
  rig = new FileWorkerRig(scratch.path)
  rig.layOut()
})
afterEach(async () => {
  await rig.close()
  scratch.remove()
})

const at = (name: string) => path.join(rig.root, name)
/** A thing that was sent has changed only while it is held, which nobody can see by its path. */
const changedWhileHeld = async (name: string, meanwhile: () => void = () => {}) => {
  const { bin } = await rig.begin()
  return bin.removeIf(name, () => {
    expect(fs.existsSync(at(name))).toBe(false)
    meanwhile()
    return Promise.resolve(false)
  })
}

const REPORT = { name: REPORT_NAME, content: JSON.stringify({ leftOut: [], leftOutCount: 0 }) }
const receive = async (tar: Buffer, freeBytes = 1e9) => {
  const worker = await rig.begin()
  worker.growth.measured({ freeBytes, measurement: 2 })
  const arriving = { path: 'sent', bytes: 0, isMove: false, taken: 'refuse', limitBytes: 1e9 } as const
  const received = worker.receiving.receive(arriving, bytesOf(tar))
  return { worker, received }
}

it('a stream that ends between two of its entries is no whole thing, and nothing of it is placed', async () => {
  const before = await rig.state(await rig.begin())
  for (const isCut of [false, true]) {
    const { worker, received } = await receive(tarOf([{ name: 'sent/one', content: 'one' }], isCut))
    await expect(received).rejects.toMatchObject({ code: 'BUSY' })
    expect(await rig.state(worker)).toEqual(before)
  }
})

it('more bytes than were measured are counted as they come, and each file takes a block', async () => {
  const before = await rig.state(await rig.begin())
  const content = 'x'.repeat(50_000)
  for (const [tar, freeBytes] of [
    [tarOf([{ name: 'sent/one', content }, REPORT]), 40_000],
    [tarOf([{ name: 'sent/one' }, { name: 'sent/two' }, REPORT]), 2 * 4_096 - 1],
  ] as const) {
    const { worker, received } = await receive(tar, freeBytes)
    await expect(received).rejects.toMatchObject({ code: 'NO_SPACE' })
    expect(await rig.state(worker)).toEqual(before)
  }
})

it('a name that leads out is left out by the receiver as well', async () => {
  const { worker, received } = await receive(
    tarOf([
      { name: 'sent/one', content: 'one' },
      { name: '../up', content: 'up' },
      { name: '/abs', content: 'up' },
      REPORT,
    ]),
  )
  const { leftOut } = await received
  expect(leftOut).toEqual([
    { name: '../up', why: 'name' },
    { name: '/abs', why: 'name' },
  ])
  expect(Object.keys((await rig.state(worker)).files).filter((name) => /one|up/.test(name))).toEqual(['sent/one'])
})

it('a thing that changed after it was sent stays: content, times, permissions, something new, something gone', async () => {
  const changes: readonly (() => void)[] = [
    () => fs.appendFileSync(at('world/region/r.mca'), 'x'),
    () => fs.writeFileSync(at('world/region/r.mca'), 'noiger'),
    () => fs.utimesSync(at('world/level.dat'), new Date(1), new Date(1)),
    () => fs.chmodSync(at('world/level.dat'), 0o600),
    () => fs.writeFileSync(at('world/region/new'), ''),
    () => fs.symlinkSync('level.dat', at('world/link')),
    () => fs.rmSync(at('world/region/r.mca')),
    () => fs.chmodSync(at('world'), 0o700),
  ]
  for (const change of changes) {
    rig.layOut()
    const mark = await markAt((await rig.begin()).sending, 'world')
    change()
    const before = await rig.state(await rig.begin())
    const worker = await rig.begin()
    expect(await worker.sending.leave('world', mark)).toBe(false)
    expect(await rig.state(worker)).toEqual(before)
  }
  rig.layOut()
  const worker = await rig.begin()
  expect(await worker.sending.leave('world', await markAt(worker.sending, 'world'))).toBe(true)
  expect(fs.existsSync(at('world'))).toBe(false)
})

it('something that is not what was sent comes back to its place, or beside what took it', async () => {
  const before = await rig.state(await rig.begin())
  for (const name of ['world', 'ops.json']) {
    expect(await changedWhileHeld(name)).toBe(false)
    expect(await rig.state(await rig.begin())).toEqual(before)
  }
  await changedWhileHeld('ops.json', () => fs.writeFileSync(at('ops.json'), 'new'))
  expect([fs.readFileSync(at('ops.json'), 'utf8'), fs.readFileSync(at('ops (2).json'), 'utf8')]).toEqual(['new', 'ops'])
  expect(fs.readdirSync(path.join(rig.area, 'bin'))).toEqual([])
})

it('a held thing is not in the bin, is not emptied with it, and comes back after a kill', async () => {
  const before = await rig.state(await rig.begin())
  const { bin, calls, jobs } = await rig.begin()
  let reach: () => void = () => {}
  const held = new Promise<void>((resolve) => (reach = resolve))
  void bin.removeIf('world', () => {
    reach()
    return new Promise(() => {})
  })
  await held
  expect((await calls.bin({}, ROOM)).entries).toEqual([])
  await bin.sweep(0)
  await jobs['empty-bin']({}, { signal: new AbortController().signal, progress: () => {} }, ROOM)
  expect(await rig.state(await rig.begin())).toEqual(before)
})

it.each(['world', 'ops.json'])('a kill at each step of putting %s back changes nothing', async (name) => {
  const before = await rig.state(await rig.begin())
  const visited: string[] = []
  for (const fault of FILE_FAULTS) {
    rig.layOut()
    let reach: (value: 'killed') => void = () => {}
    const killed = new Promise<'killed'>((resolve) => (reach = resolve))
    const { bin } = await rig.begin((step) => {
      if (step !== fault) return Promise.resolve()
      visited.push(step)
      reach('killed')
      return new Promise(() => {})
    })
    await Promise.race([bin.removeIf(name, () => Promise.resolve(false)), killed])
    expect([fault, await rig.state(await rig.begin())]).toEqual([fault, before])
  }
  expect(visited).toContain('restore.placed')
})
