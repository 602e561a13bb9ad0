import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { SUMS_AT_ONCE, UPLOAD_PART_BYTES, type OpenUpload, type UploadSums } from '#contracts/panel/uploads.ts'
import { metadataHeader } from '../../../agents/http/upload-headers.ts'
import { nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { codeOf, FilesRig, SITE, type Asked } from '../../support/files-rig.ts'

const UPLOADS = `/servers/${SERVER_ID}/files/uploads`
const TUS = { 'tus-resumable': '1.0.0' }
const OTHER = nextId()

let rig: FilesRig
beforeAll(async () => {
  rig = await FilesRig.open()
})
afterAll(() => rig.close())
beforeEach(() => {
  rig.clear()
  // The records of complete ones stay for a day.
  const uploads = path.join(rig.area, 'uploads')
  for (const id of fs.existsSync(uploads) ? onDisk() : []) fs.rmSync(path.join(uploads, id), { recursive: true })
  rig.activities.splice(0)
})

const other = (without: readonly string[] = []) =>
  rig.token({ sub: OTHER, name: 'bela', permissions: PERMISSIONS.filter((each) => !without.includes(each)) })
const listed = async (token?: string): Promise<OpenUpload[]> =>
  ((await rig.call('open-uploads', {}, { token })).json as { uploads: OpenUpload[] }).uploads

/** Begins an upload; resolves with its id. */
const begin = async (file: string, bytes: number, asked: Asked & { filename?: string } = {}): Promise<string> => {
  const named = asked.filename === undefined ? '' : `,filename ${Buffer.from(asked.filename).toString('base64')}`
  const answer = await rig.ask(UPLOADS, {
    method: 'POST',
    token: asked.token,
    headers: {
      ...TUS,
      'upload-length': String(bytes),
      'upload-metadata': `${metadataHeader({ path: file, replaces: 'new' })}${named}`,
    },
  })
  expect(answer.status).toBe(201)
  return String(answer.headers['location']).slice('uploads/'.length)
}
const patch = (id: string, body: Buffer, from: number, token?: string) =>
  rig.ask(`${UPLOADS}/${id}`, {
    method: 'PATCH',
    body,
    token,
    headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
  })
const sums = async (id: string, fromPart: number, token?: string) =>
  rig.call('upload-sums', { id, fromPart }, { token })
const onDisk = () => fs.readdirSync(path.join(rig.area, 'uploads'))

describe('unfinished uploads', () => {
  it('are listed for everybody who may see files, each with who began it and how much has arrived', async () => {
    await rig.call('create-folder', { path: 'maps' })
    const mine = await begin('maps/world.zip', 20, {
      filename: 'my world.zip',
      token: await rig.token({ name: 'anna' }),
    })
    await patch(mine, Buffer.from('abc'), 0)
    const theirs = await begin('theirs.zip', 10, { token: await other() })
    const all = await listed()
    expect(
      all.map(({ id, isOwn, by, name, path: at, offset, bytes }) => [id, isOwn, by, name, at, offset, bytes]),
    ).toEqual(
      expect.arrayContaining([
        [mine, true, 'anna', 'my world.zip', 'maps/world.zip', 3, 20],
        [theirs, false, 'bela', 'theirs.zip', 'theirs.zip', 0, 10],
      ]),
    )
    expect((await listed(await other())).find(({ id }) => id === mine)?.isOwn).toBe(false)
    const refused = await rig.call('open-uploads', {}, { token: await other(['file.list']) })
    expect([refused.status, codeOf(refused)]).toEqual([403, 'FORBIDDEN'])
    const [first] = all
    expect([first?.isArriving, (first?.idleMs ?? -1) >= 0, typeof first?.startedAtMs]).toEqual([false, true, 'number'])
  })

  it('leave the list with their last byte', async () => {
    const id = await begin('done.txt', 3)
    expect((await listed()).map((each) => each.id)).toEqual([id])
    await patch(id, Buffer.from('abc'), 0)
    expect([await listed(), rig.text('done.txt')]).toEqual([[], 'abc'])
  })

  it('tell their holder the sum of each part that has arrived, and nobody else', async () => {
    const bytes = randomBytes(UPLOAD_PART_BYTES + 1_000)
    const id = await begin('world.zip', bytes.length + 5)
    await patch(id, bytes, 0)
    const sha = (part: Buffer) => createHash('sha256').update(part).digest('base64')
    const parts = [bytes.subarray(0, UPLOAD_PART_BYTES), bytes.subarray(UPLOAD_PART_BYTES)].map(sha)
    expect((await sums(id, 0)).json as UploadSums).toEqual({ offset: bytes.length, sums: parts })
    expect((await sums(id, 1)).json as UploadSums).toEqual({ offset: bytes.length, sums: parts.slice(1) })
    expect((await sums(id, 2)).json as UploadSums).toEqual({ offset: bytes.length, sums: [] })
    expect(codeOf(await sums(id, 0, await other()))).toBe('NOT_FOUND')
    expect(codeOf(await sums(nextId(), 0))).toBe('NOT_FOUND')
    expect(codeOf(await sums(id, 0, await rig.token({ permissions: ['file.list'] })))).toBe('FORBIDDEN')
  })

  it('are no longer read for sums once who asked is gone', async () => {
    const arrived = SUMS_AT_ONCE * UPLOAD_PART_BYTES
    const id = await begin('large.zip', arrived + 1)
    const about = path.join(rig.area, 'uploads', id, 'about.json')
    const record = JSON.parse(fs.readFileSync(about, 'utf8')) as object
    fs.writeFileSync(about, JSON.stringify({ ...record, offset: arrived }))
    fs.truncateSync(path.join(rig.area, 'uploads', id, 'content'), arrived)
    const pid = execFileSync('pgrep', ['-f', 'bakter-file-worker', '-P', String(process.pid)], {
      encoding: 'utf8',
    }).trim()
    const read = () => Number(/rchar: (\d+)/.exec(fs.readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
    const before = read()
    const token = await rig.token()
    const asking = new AbortController()
    // So many that a machine which stands still for seconds does not read them all before the asker is gone.
    const asked = Array.from({ length: 24 }, () =>
      fetch(`http://127.0.0.1:${rig.port}/servers/${SERVER_ID}/files/upload-sums`, {
        method: 'POST',
        headers: { origin: SITE, authorization: `Bearer ${token}` },
        body: JSON.stringify({ id, fromPart: 0 }),
        signal: asking.signal,
      }).then(({ status }) => status, String),
    )
    await vi.waitFor(() => expect(read() - before).toBeGreaterThan(1_000_000), { interval: 2, timeout: 45_000 })
    asking.abort()
    await Promise.all(asked)
    expect(((await sums(id, SUMS_AT_ONCE - 1)).json as UploadSums).sums).toHaveLength(1)
    expect(read() - before).toBeLessThan(12 * arrived)
  })

  it('are removed by whoever began them, and by others only with the permission to change files', async () => {
    const id = await begin('mine.zip', 10)
    await patch(id, Buffer.from('abc'), 0)
    const refused = await rig.call('end-upload', { id }, { token: await other(['file.update']) })
    expect([refused.status, codeOf(refused)]).toEqual([403, 'FORBIDDEN'])
    expect(refused.json).toMatchObject({ error: { permission: 'file.update' } })
    expect([onDisk(), rig.activities]).toEqual([[id], []])
    expect((await rig.call('end-upload', { id }, { token: await other() })).status).toBe(200)
    expect([onDisk(), (await patch(id, Buffer.from('d'), 3)).status]).toEqual([[], 404])
    const removed = { type: 'server:file.upload-removed', detail: 'mine.zip', userId: OTHER }
    expect(rig.activities).toEqual([expect.objectContaining(removed)])

    const own = await begin('own.zip', 10)
    await rig.call('end-upload', { id: own }, { token: await rig.token({ permissions: ['file.list'] }) })
    expect([onDisk(), rig.activities.length]).toEqual([[], 1])
  })

  it('that an earlier release recorded are listed without what it did not know', async () => {
    const id = await begin('old.zip', 10)
    const record = path.join(rig.area, 'uploads', id, 'about.json')
    const {
      name: _name,
      by: _by,
      startedAtMs: _at,
      ...old
    } = JSON.parse(fs.readFileSync(record, 'utf8')) as Record<string, unknown>
    fs.writeFileSync(record, JSON.stringify(old))
    expect(await listed()).toEqual([
      expect.objectContaining({ id, path: 'old.zip', name: 'old.zip', by: '', startedAtMs: null }),
    ])
  })
})
