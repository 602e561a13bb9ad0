import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { request as httpRequest } from 'node:http'
import path from 'node:path'

import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { silentLog } from '#platform/logger.ts'
import { UPLOAD_HOURS } from '#contracts/panel/uploads.ts'
import { UploadSweeper } from '../../../agents/files/uploads/upload-sweeper.ts'
import { metadataHeader } from '../../../agents/http/upload-headers.ts'
import { nextId, SERVER_ID, USER_ID } from '../../factories/server-spec.ts'
import { codeOf, FilesRig, SITE, type Answer, type Asked } from '../../support/files-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

const MIB = 1024 * 1024
const UPLOADS = `/servers/${SERVER_ID}/files/uploads`
const TUS = { 'tus-resumable': '1.0.0' }
const PATCH = { ...TUS, 'content-type': 'application/offset+octet-stream' }

let rig: FilesRig
beforeAll(async () => {
  rig = await FilesRig.open()
})
afterAll(() => rig.close())
beforeEach(() => {
  rig.clear()
  if (fs.existsSync(uploads()))
    for (const name of fs.readdirSync(uploads())) fs.rmSync(inUploads(name), { recursive: true })
  rig.activities.splice(0)
  rig.usage = { bytes: 0, ownBytes: 0 }
})

const uploads = () => path.join(rig.area, 'uploads')
const inUploads = (...names: string[]) => path.join(uploads(), ...names)
const hash = (bytes: Buffer, algorithm = 'sha256') => createHash(algorithm).update(bytes).digest('base64')
const create = (file: string, bytes: number, { headers, ...asked }: Asked & { replaces?: 'new' | 'any' } = {}) =>
  rig.ask(UPLOADS, {
    method: 'POST',
    ...asked,
    headers: {
      ...TUS,
      'upload-length': String(bytes),
      'upload-metadata': metadataHeader({ path: file, replaces: asked.replaces ?? 'new' }),
      ...headers,
    },
  })
/** The address of a new upload. */
const begin = async (file: string, bytes: number, asked: Parameters<typeof create>[2] = {}): Promise<string> => {
  const answer = await create(file, bytes, asked)
  expect([answer.status, codeOf({ ...answer, json: answer.json ?? {} })]).toEqual([201, undefined])
  return `/servers/${SERVER_ID}/files/${String(answer.headers['location'])}`
}
const head = (at: string, asked: Asked = {}) => rig.ask(at, { method: 'HEAD', headers: TUS, ...asked })
const offset = async (at: string) => Number((await head(at)).headers['upload-offset'])
const patch = (at: string, body: Buffer, from: number, { headers, ...asked }: Asked = {}) =>
  rig.ask(at, { method: 'PATCH', body, ...asked, headers: { ...PATCH, 'upload-offset': String(from), ...headers } })
const end = (at: string, asked: Asked = {}) => rig.ask(at, { method: 'DELETE', headers: TUS, ...asked })
const outcome = (answer: Answer) => [answer.status, answer.json === undefined ? undefined : codeOf(answer)]
const content = (file: string) => fs.readFileSync(path.join(rig.root, file))
const left = () => [fs.readdirSync(path.join(rig.area, 'parts')), fs.existsSync(path.join(rig.area, 'moving.json'))]

interface Half {
  readonly from?: number
  readonly headers?: Record<string, string>
  readonly token?: string
}
/** A part whose connection stays open after these bytes; resolves with how to cut it once they have arrived. */
const halfPart = async (at: string, body: Buffer, { from = 0, headers = {}, ...asked }: Half = {}) => {
  const token = asked.token ?? (await rig.token())
  const request = httpRequest({
    host: '127.0.0.1',
    port: rig.port,
    method: 'PATCH',
    path: at,
    agent: false,
    headers: {
      ...PATCH,
      origin: SITE,
      authorization: `Bearer ${token}`,
      'upload-offset': String(from),
      'content-length': String(body.length * 2),
      ...headers,
    },
  })
  const ended = new Promise<void>((resolve) => {
    request.once('error', () => resolve())
    request.once('response', (response) => response.resume().once('close', resolve))
  })
  request.write(body)
  const id = at.slice(at.lastIndexOf('/') + 1)
  await waitFor('the bytes', () => fs.statSync(inUploads(id, 'content')).size === from + body.length)
  return { cut: () => request.destroy(), ended }
}

describe('an upload in parts', () => {
  it('arrives byte for byte, gets its place at the end, and is told once', async () => {
    const bytes = randomBytes(3 * MIB + 5)
    const at = await begin('world.zip', bytes.length)
    const first = await patch(at, bytes.subarray(0, MIB), 0)
    expect([first.status, first.headers['upload-offset']]).toEqual([204, String(MIB)])
    expect([rig.exists('world.zip'), rig.activities]).toEqual([false, []])
    const told = await head(at)
    expect(told.headers).toMatchObject({
      'upload-offset': String(MIB),
      'upload-length': String(bytes.length),
      'upload-metadata': metadataHeader({ path: 'world.zip', replaces: 'new' }),
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
      'access-control-allow-origin': SITE,
    })
    const last = await patch(at, bytes.subarray(MIB), MIB)
    expect([last.status, hash(content('world.zip'))]).toEqual([204, hash(bytes)])
    expect((await rig.read('world.zip')).headers['etag']).toBe(last.headers['etag'])
    expect(fs.statSync(path.join(rig.root, 'world.zip')).mode & 0o777).toBe(0o644)
    expect(rig.activities).toMatchObject([{ type: 'server:file.uploaded', detail: 'world.zip', userId: USER_ID }])
    // A client whose last answer was lost learns that all is there, and an empty part at the end changes nothing.
    expect([await offset(at), (await patch(at, Buffer.alloc(0), bytes.length)).status]).toEqual([bytes.length, 204])
    expect([left(), rig.activities.length]).toEqual([[[], false], 1])
  })

  it('of an empty file is complete when it begins', async () => {
    await begin('empty.txt', 0)
    expect([content('empty.txt').length, rig.activities.length]).toEqual([0, 1])
  })

  it('goes on after a cut with the bytes that arrived, and in a new agent', async () => {
    const bytes = randomBytes(2 * MIB)
    const at = await begin('world.zip', bytes.length)
    const { cut, ended } = await halfPart(at, bytes.subarray(0, MIB / 2))
    cut()
    await ended
    const arrived = await offset(at)
    expect(arrived).toBe(MIB / 2)
    await rig.openDoor()
    expect(await offset(at)).toBe(arrived)
    expect((await patch(at, bytes.subarray(arrived), arrived)).status).toBe(204)
    expect(hash(content('world.zip'))).toBe(hash(bytes))
  })

  it('is not held up by a connection that is half open: whoever comes back cuts it', async () => {
    const bytes = randomBytes(MIB)
    const at = await begin('world.zip', bytes.length)
    const { ended } = await halfPart(at, bytes.subarray(0, 1_000))
    expect(await offset(at)).toBe(1_000)
    await ended
    const stale = await halfPart(at, bytes.subarray(1_000, 2_000), { from: 1_000 })
    // The same bytes once more, while the other connection still writes: one wins, and none are mixed.
    const again = await patch(at, bytes.subarray(1_000), 1_000)
    await stale.ended
    expect(outcome(again)).toEqual([409, 'WRONG_OFFSET'])
    const now = await offset(at)
    expect((await patch(at, bytes.subarray(now), now)).status).toBe(204)
    expect(hash(content('world.zip'))).toBe(hash(bytes))
  })

  it.each(['sha256', 'sha1'])('with a checksum by %s takes a part whole or not at all', async (algorithm) => {
    const bytes = randomBytes(MIB)
    const at = await begin('world.zip', bytes.length)
    const sum = (of: Buffer) => ({ 'upload-checksum': `${algorithm} ${hash(of, algorithm)}` })
    const damaged = await patch(at, bytes.subarray(0, 1_000), 0, { headers: sum(bytes.subarray(1, 1_001)) })
    expect([outcome(damaged), await offset(at)]).toEqual([[460, 'WRONG_CHECKSUM'], 0])
    const { cut, ended } = await halfPart(at, bytes.subarray(0, 1_000), { headers: sum(bytes.subarray(0, 2_000)) })
    cut()
    await ended
    expect(await offset(at)).toBe(0)
    expect((await patch(at, bytes, 0, { headers: sum(bytes) })).status).toBe(204)
    expect(hash(content('world.zip'))).toBe(hash(bytes))
  })

  it('by a client of others goes on when the agent is replaced in the middle', async () => {
    const bytes = randomBytes(20 * MIB)
    let sent = 0
    const token = await rig.token()
    let replaced: Promise<void> | undefined
    await new Promise<void>((resolve, reject) => {
      const upload: Upload = new Upload(bytes, {
        endpoint: `http://127.0.0.1:${rig.port}${UPLOADS}`,
        chunkSize: 8 * MIB,
        // A new agent on a busy machine takes its time.
        retryDelays: Array.from({ length: 300 }, () => 250),
        headers: { authorization: `Bearer ${token}` },
        metadata: { path: 'pack.zip', replaces: 'new' },
        onChunkComplete: (size) => {
          sent += size
          if (replaced !== undefined) return
          replaced = rig.openDoor()
          // The new one listens elsewhere, as an agent behind a new address would.
          void replaced.then(() => {
            upload.url = upload.url?.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${rig.port}`) ?? null
          })
        },
        onSuccess: () => resolve(),
        onError: reject,
      })
      upload.start()
    })
    await replaced
    expect(hash(content('pack.zip'))).toBe(hash(bytes))
    expect(sent).toBe(bytes.length)
  })
})

describe('an upload is refused', () => {
  it('at once where its end would be', async () => {
    rig.put('taken.txt')
    fs.symlinkSync('/etc', path.join(rig.root, 'link'))
    fs.mkdirSync(path.join(rig.root, 'folder'))
    const refused = async (file: string, asked: Parameters<typeof create>[2] = {}, bytes = 10) =>
      outcome(await create(file, bytes, asked))
    expect(await refused('taken.txt')).toEqual([409, 'ALREADY_EXISTS'])
    expect(await refused('folder', { replaces: 'any' })).toEqual([409, 'NOT_A_FILE'])
    expect(await refused('link/passwd')).toEqual([409, 'NOT_A_FOLDER'])
    expect(await refused('missing/a.txt')).toEqual([404, 'NOT_FOUND'])
    for (const file of ['../a', '/etc/a', 'a/../b', 'a\0b', '.'])
      expect(await refused(file)).toEqual([400, 'INVALID_PATH'])
    expect(await refused('a.txt', {}, rig.limitBytes + 1)).toEqual([507, 'NO_SPACE'])
    expect(await refused('a.txt', {}, 20 * 1024 ** 4)).toEqual([413, 'TOO_LARGE'])
    expect(fs.readdirSync(uploads())).toEqual([])
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['of no length', { 'upload-length': '' }, 400, 'INVALID_REQUEST'],
    ['of a negative length', { 'upload-length': '-1' }, 400, 'INVALID_REQUEST'],
    ['of another version', { 'tus-resumable': '0.2.2' }, 412, 'WRONG_VERSION'],
    ['without a path', { 'upload-metadata': 'filename YQ==' }, 400, 'INVALID_PATH'],
    ['with the path twice', { 'upload-metadata': 'path YQ==,path Yg==' }, 400, 'INVALID_REQUEST'],
    ['with a path that is no base64', { 'upload-metadata': 'path a?' }, 400, 'INVALID_REQUEST'],
    ['with a path that is no UTF-8', { 'upload-metadata': 'path /w==' }, 400, 'INVALID_REQUEST'],
    ['that replaces something else', { 'upload-metadata': 'path YQ==,replaces YQ==' }, 400, 'INVALID_REQUEST'],
  ])('%s', async (_case, headers, status, code) => {
    expect(outcome(await create('a.txt', 10, { headers }))).toEqual([status, code])
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['at another offset', { 'upload-offset': '4' }, 409, 'WRONG_OFFSET'],
    ['without an offset', { 'upload-offset': '' }, 400, 'INVALID_REQUEST'],
    ['of another type', { 'content-type': 'text/plain' }, 415, 'WRONG_TYPE'],
    ['of another version', { 'tus-resumable': '2.0.0' }, 412, 'WRONG_VERSION'],
    ['with an unknown checksum', { 'upload-checksum': 'crc32 AAAAAA==' }, 400, 'INVALID_REQUEST'],
    ['with half a checksum', { 'upload-checksum': 'sha256 AAAA' }, 400, 'INVALID_REQUEST'],
    ['beyond its length', { 'upload-offset': '5' }, 400, 'INVALID_REQUEST'],
  ])('a part %s, and nothing of it stays', async (_case, headers, status, code) => {
    const at = await begin('a.txt', 10)
    await patch(at, Buffer.from('12345'), 0)
    const body = headers['upload-offset'] === '5' ? '123456' : '1234'
    expect(outcome(await patch(at, Buffer.from(body), 5, { headers }))).toEqual([status, code])
    expect([await offset(at), rig.exists('a.txt')]).toEqual([5, false])
  })

  it('to everybody but the one who began it', async () => {
    const at = await begin('a.txt', 10)
    const token = await rig.token({ sub: nextId() })
    for (const answer of [
      await head(at, { token }),
      await end(at, { token }),
      await patch(at, Buffer.from('1'), 0, { token }),
    ]) {
      expect(answer.status).toBe(404)
    }
    expect(await offset(at)).toBe(0)
  })

  it('without the permission, at its beginning and at each part', async () => {
    rig.put('old.txt', 'old')
    const only = (...permissions: string[]) => rig.token({ permissions })
    expect(outcome(await create('a.txt', 1, { token: await only('file.read', 'file.update') }))).toEqual([
      403,
      'FORBIDDEN',
    ])
    expect(outcome(await create('old.txt', 1, { replaces: 'any', token: await only('file.create') }))).toEqual([
      403,
      'FORBIDDEN',
    ])
    const at = await begin('old.txt', 3, { replaces: 'any' })
    const lost = await patch(at, Buffer.from('new'), 0, { token: await only('file.create') })
    expect([outcome(lost), (lost.json as { error: { permission: string } }).error.permission]).toEqual([
      [403, 'FORBIDDEN'],
      'file.update',
    ])
    expect(rig.text('old.txt')).toBe('old')
    expect((await patch(at, Buffer.from('new'), 0)).status).toBe(204)
    expect(rig.text('old.txt')).toBe('new')
  })

  it('when its person is shut out, in the middle of a part', async () => {
    const ended = nextId()
    const token = await rig.token({ sid: ended })
    const at = await begin('a.txt', 2_000)
    const half = await halfPart(at, Buffer.alloc(1_000), { token })
    rig.revocations.add({ serverId: null, sessionId: ended, userId: USER_ID, issuedBeforeMs: rig.rig.clock.now() })
    rig.door.revoked()
    await half.ended
    expect([rig.exists('a.txt'), (await head(at, { token })).status, await offset(at)]).toEqual([false, 401, 1_000])
  })
})

describe('the place of an upload', () => {
  it('that was taken meanwhile is refused, and got once it is free', async () => {
    const at = await begin('a.txt', 3)
    rig.put('a.txt', 'old')
    expect(outcome(await patch(at, Buffer.from('new'), 0))).toEqual([409, 'ALREADY_EXISTS'])
    // To be asked about is no success either.
    expect([rig.text('a.txt'), (await head(at)).status]).toEqual(['old', 409])
    fs.rmSync(path.join(rig.root, 'a.txt'))
    expect((await patch(at, Buffer.alloc(0), 3)).status).toBe(204)
    expect(rig.text('a.txt')).toBe('new')
  })

  it('whose folder became a link meanwhile leads nowhere', async () => {
    const outside = path.join(rig.rig.folder, 'outside')
    fs.mkdirSync(outside, { recursive: true, mode: 0o777 })
    fs.chmodSync(outside, 0o777)
    fs.mkdirSync(path.join(rig.root, 'folder'))
    rig.own()
    const at = await begin('folder/a.txt', 3)
    fs.rmdirSync(path.join(rig.root, 'folder'))
    fs.symlinkSync(outside, path.join(rig.root, 'folder'))
    expect(outcome(await patch(at, Buffer.from('new'), 0))).toEqual([409, 'NOT_A_FOLDER'])
    expect(fs.readdirSync(outside)).toEqual([])
  })

  it('keeps the permissions of the file that it replaces', async () => {
    rig.put('start.sh', 'old')
    fs.chmodSync(path.join(rig.root, 'start.sh'), 0o755)
    const at = await begin('start.sh', 3, { replaces: 'any' })
    await patch(at, Buffer.from('new'), 0)
    expect([rig.text('start.sh'), fs.statSync(path.join(rig.root, 'start.sh')).mode & 0o777]).toEqual(['new', 0o755])
  })
})

describe('the storage', () => {
  it('is counted as it arrives, and given back with the upload', async () => {
    const free = 3_000
    rig.usage = { bytes: rig.limitBytes - free, ownBytes: 0 }
    const [one, two] = [await begin('one', 2_000), await begin('two', 2_000)]
    await patch(one, Buffer.alloc(1_999), 0)
    const full = await patch(two, Buffer.alloc(2_000), 0)
    expect([outcome(full), await offset(two)]).toEqual([[507, 'NO_SPACE'], 0])
    expect((await end(one)).status).toBe(204)
    expect([(await head(one)).status, fs.existsSync(inUploads(one.slice(-36)))]).toEqual([404, false])
    expect((await patch(two, Buffer.alloc(2_000), 0)).status).toBe(204)
  })

  it('is free again a day after the last part, and not before', async () => {
    const at = await begin('a.txt', 10)
    await patch(at, Buffer.from('12345'), 0)
    const record = inUploads(at.slice(-36), 'about.json')
    const about = JSON.parse(fs.readFileSync(record, 'utf8')) as { expiresAtMs: number }
    expect(Math.round((about.expiresAtMs - Date.now()) / 3_600_000)).toBe(UPLOAD_HOURS)
    fs.writeFileSync(record, JSON.stringify({ ...about, expiresAtMs: Date.now() - 1 }))
    expect((await head(at)).status).toBe(410)
    await begin('b.txt', 1)
    expect([(await head(at)).status, fs.existsSync(inUploads(at.slice(-36)))]).toEqual([404, false])
  })

  it('is free again within an hour of that, also if nobody opens the files', async () => {
    const [old, young] = [await begin('a.txt', 10), await begin('b.txt', 10)]
    const record = inUploads(old.slice(-36), 'about.json')
    const about = JSON.parse(fs.readFileSync(record, 'utf8')) as { expiresAtMs: number }
    fs.writeFileSync(record, JSON.stringify({ ...about, expiresAtMs: Date.now() - 1 }))
    const { timers, manager } = rig.rig
    const servers = () => manager.all()
    const stop = new UploadSweeper({ timers, log: silentLog, files: rig.serverFiles, servers }).start()
    await timers.advance(3_599_000)
    expect(fs.readdirSync(uploads()).length).toBe(2)
    await timers.advance(1_000)
    await waitFor('the sweep', () => fs.readdirSync(uploads()).length === 1)
    expect(fs.existsSync(inUploads(young.slice(-36)))).toBe(true)
    stop()
  })
})

it('tells its abilities to programs and to the pages of the site, and not to other pages', async () => {
  const ask = (origin?: string) =>
    fetch(`http://127.0.0.1:${rig.port}${UPLOADS}`, {
      method: 'OPTIONS',
      headers: origin === undefined ? {} : { origin },
    })
  const abilities = (await ask()).headers
  expect(Object.fromEntries([...abilities].filter(([name]) => name.startsWith('tus-')))).toEqual({
    'tus-resumable': '1.0.0',
    'tus-version': '1.0.0',
    'tus-extension': 'creation,termination,checksum,expiration',
    'tus-checksum-algorithm': 'sha256,sha1',
    'tus-max-size': String(16 * 1024 ** 4),
  })
  const known = await ask(SITE)
  expect([known.status, known.headers.get('access-control-allow-headers')]).toEqual([
    204,
    expect.stringContaining('upload-checksum'),
  ])
  expect((await ask('https://elsewhere.test')).status).toBe(403)
})
