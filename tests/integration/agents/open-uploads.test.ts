import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { OVERLOAD } from '#contracts/overload.ts'
import { SUMS_AT_ONCE, UPLOAD_HOURS, UPLOAD_PART_BYTES } from '#contracts/panel/uploads.ts'
import { refusalOf } from '../../../agents/files/file-failure.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bytesOf, FileWorkerRig, type FileWorker } from '../../support/file-operations.ts'
import { waitFor } from '../../support/wait-for.ts'

const { perUser, perServer } = OVERLOAD.agent.files.uploads

let scratch: ReturnType<typeof scratchFolder>
let rig: FileWorkerRig
let worker: FileWorker
let uploads: FileWorker['uploads']
beforeEach(async () => {
  scratch = scratchFolder()
  rig = new FileWorkerRig(scratch.path)
  rig.layOut()
  worker = await rig.begin()
  uploads = worker.uploads
})
afterEach(async () => {
  await rig.close()
  scratch.remove()
})

const begin = async (userId: string, path: string) =>
  (await uploads.create({ path, replaces: 'new', bytes: 10, userId, name: path, by: userId })).id
const offset = (userId: string, id: string) =>
  uploads.state({ id, userId }, { mayPlace: true, mayReplace: true }).then((state) => state.offset, refusalOf)
const own = (id: string) => path.join(rig.area, 'uploads', id)
const ROOM = { limitBytes: 1e9, freeBytes: 1e9, measurement: 1 }
const listed = async () =>
  (await worker.calls['open-uploads']({ asker: { userId: 'anna', mayAll: true } } as never, ROOM)).uploads.map(
    ({ id }) => id,
  )
const expire = () => {
  const atMs = Date.now() + UPLOAD_HOURS * 3_600_000
  rig.now = () => atMs
}
const part = (userId: string, id: string, from: number) =>
  uploads.write({ id, userId }, { offset: from, bytes: 1, mayReplace: true }, bytesOf('x'))

it('a person has so many unfinished uploads: one more takes the place of the oldest', async () => {
  const first = await begin('anna', 'first')
  const second = await begin('anna', 'second')
  const others = await begin('bela', 'others')
  // A part makes an upload young again.
  await new Promise((done) => setTimeout(done, 5))
  await part('anna', first, 0)
  for (let count = 2; count < perUser; count += 1) await begin('anna', `file-${count}`)
  expect([await offset('anna', first), await offset('anna', second)]).toEqual([1, 0])
  await begin('anna', 'one more')
  expect([await offset('anna', first), await offset('anna', second)]).toEqual([1, 'NOT_FOUND'])
  expect(await offset('bela', others)).toBe(0)
})

it('a server has so many of all people: no more begin, and those that are there go on', async () => {
  const ids = [await begin('person-0', 'file')]
  // As if they had begun them one after the other, which takes a worker seconds.
  for (let count = 1; count < perServer; count += 1) {
    const id = randomUUID()
    fs.cpSync(own(ids[0] ?? ''), own(id), { recursive: true })
    const about = path.join(own(id), 'about.json')
    const userId = `person-${count % (perServer / perUser + 1)}`
    fs.writeFileSync(about, JSON.stringify({ ...(JSON.parse(fs.readFileSync(about, 'utf8')) as object), userId }))
  }
  await expect(begin('one more', 'file')).rejects.toMatchObject({ code: 'BUSY' })
  await part('person-0', ids[0] ?? '', 0)
  expect(await offset('person-0', ids[0] ?? '')).toBe(1)
  await uploads.end({ id: ids[0] ?? '', userId: 'person-0' })
  expect(await offset('one more', await begin('one more', 'file'))).toBe(0)
})

it('one that is removed while the list is read is not in it, and the others are', async () => {
  const [first, second] = [await begin('anna', 'first'), await begin('anna', 'second')]
  const sweep = uploads.sweep.bind(uploads)
  vi.spyOn(uploads, 'sweep').mockImplementationOnce(async () => {
    const swept = await sweep()
    await uploads.end({ id: first, userId: 'anna' })
    return swept
  })
  expect(await listed()).toEqual([second])
})

it('one that expired is forgotten once, however many look, and its storage returns once', async () => {
  const free = worker.growth.leftBytes
  const id = await begin('anna', 'first')
  await part('anna', id, 0)
  worker.growth.grow(100)
  expect(worker.growth.leftBytes).toBe(free - 101)
  expire()
  expect(await Promise.all([listed(), listed(), listed()])).toEqual([[], [], []])
  expect([fs.existsSync(own(id)), worker.growth.leftBytes]).toEqual([false, free - 100])
})

it('one whose part arrives when its time is over stays, and gets its place', async () => {
  const id = await begin('anna', 'file')
  const source = new PassThrough()
  const asked = { offset: 0, bytes: 10, mayReplace: true }
  const writing = uploads.write({ id, userId: 'anna' }, asked, source).then(({ offset: at }) => at, refusalOf)
  source.write('01234')
  await waitFor('the first bytes', () => fs.statSync(path.join(own(id), 'content')).size === 5)
  expire()
  expect(await listed()).toEqual([id])
  source.end('56789')
  expect([await writing, fs.readFileSync(path.join(rig.root, 'file'), 'utf8')]).toEqual([10, '0123456789'])
})

describe('the sums of what has arrived', () => {
  const LARGE_BYTES = SUMS_AT_ONCE * UPLOAD_PART_BYTES
  /** As if so much had arrived: a hole, which is read like everything else. */
  const large = async (userId: string) => {
    const id = await begin(userId, randomUUID())
    const about = path.join(own(id), 'about.json')
    const record = JSON.parse(fs.readFileSync(about, 'utf8')) as object
    fs.writeFileSync(about, JSON.stringify({ ...record, bytes: LARGE_BYTES + 1, offset: LARGE_BYTES }))
    fs.truncateSync(path.join(own(id), 'content'), LARGE_BYTES)
    return id
  }
  const sums = (userId: string, id: string, signal?: AbortSignal) =>
    worker.calls['upload-sums']({ id, fromPart: 0, asker: { userId, mayAll: true } }, ROOM, signal).then(
      ({ sums: found }) => found.length,
      refusalOf,
    )
  /** Contents of uploads that this process has open. */
  const opened = () =>
    fs.readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith('/content')
      } catch {
        return false
      }
    }).length

  it('are read one after the other, however many a person asks for at once', async () => {
    const ids = [await large('anna'), await large('anna'), await large('anna')]
    let most = 0
    const looking = setInterval(() => (most = Math.max(most, opened())), 2)
    const found = await Promise.all(ids.map((id) => sums('anna', id)))
    clearInterval(looking)
    expect([found, most]).toEqual([[SUMS_AT_ONCE, SUMS_AT_ONCE, SUMS_AT_ONCE], 1])
    // One that is refused keeps nobody from asking again.
    expect([await sums('anna', randomUUID()), await sums('anna', ids[0] ?? '')]).toEqual(['NOT_FOUND', SUMS_AT_ONCE])
  })

  it('end with their request, also while they wait', async () => {
    const [id, cut] = [await large('anna'), new AbortController()]
    const asked = [sums('anna', id, cut.signal), sums('anna', id, cut.signal)]
    await waitFor('the first to be read', () => opened() === 1)
    cut.abort()
    expect([await Promise.all(asked), opened()]).toEqual([['BUSY', 'BUSY'], 0])
  })
})
