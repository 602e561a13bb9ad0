import { createHash, randomBytes } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { FileVersion } from '#contracts/panel/node-files.ts'
import { SERVER_ID, USER_ID } from '../../factories/server-spec.ts'
import { codeOf, FilesRig, SITE, type Answer } from '../../support/files-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

let rig: FilesRig
beforeAll(async () => {
  rig = await FilesRig.open()
})
afterAll(() => rig.close())
beforeEach(() => {
  rig.clear()
  rig.usage = { bytes: 0, ownBytes: 0 }
})

const etag = (answer: Answer): string => String((answer.json as { etag: unknown }).etag)
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const readVersion = (file: string, id: string) =>
  rig.ask(`/servers/${SERVER_ID}/files/content?path=${file}&version=${encodeURIComponent(id)}`)
const parts = (): string[] => fs.readdirSync(path.join(rig.area, 'parts'))

describe('the content of a file', () => {
  it('is read whole and by ranges, byte for byte, with its version', async () => {
    const bytes = randomBytes(3 * 1024 * 1024 + 17)
    rig.put('world.zip', bytes)
    const whole = await rig.read('world.zip')
    expect([whole.status, hash(whole.bytes)]).toEqual([200, hash(bytes)])
    expect(whole.headers).toMatchObject({ 'content-length': String(bytes.length), 'access-control-allow-origin': SITE })
    const ranges: [string, number, number][] = [
      ['bytes=0-0', 0, 1],
      ['bytes=1048576-2097151', 1_048_576, 2_097_152],
      ['bytes=3145728-', 3_145_728, bytes.length],
    ]
    for (const [range, from, to] of ranges) {
      const part = await rig.read('world.zip', { headers: { range } })
      expect([part.status, hash(part.bytes)]).toEqual([206, hash(bytes.subarray(from, to))])
      expect(part.headers).toMatchObject({
        'content-range': `bytes ${from}-${to - 1}/${bytes.length}`,
        etag: whole.headers['etag'],
      })
    }
    expect(codeOf(await rig.read('world.zip', { headers: { range: `bytes=${bytes.length}-` } }))).toBe('NO_SUCH_RANGE')
  })

  it('of an empty file is empty', async () => {
    rig.put('empty', '')
    const answer = await rig.read('empty')
    expect([answer.status, answer.bytes.length]).toEqual([200, 0])
  })

  it("is written whole, under the server's user, and keeps the permissions of what it replaces", async () => {
    rig.put('start.sh', 'old')
    fs.chmodSync(path.join(rig.root, 'start.sh'), 0o755)
    const read = await rig.read('start.sh')
    const saved = await rig.write('start.sh', 'new', { 'if-match': String(read.headers['etag']) })
    expect(saved.status).toBe(200)
    expect(rig.text('start.sh')).toBe('new')
    const stats = fs.statSync(path.join(rig.root, 'start.sh'))
    expect([stats.mode & 0o777, stats.uid]).toEqual([0o755, process.getuid?.() === 0 ? rig.uid : process.getuid?.()])
    expect((await rig.read('start.sh')).headers['etag']).toBe(etag(saved))
  })

  it('is not replaced when it has changed since it was read; the answer says when (case 112)', async () => {
    rig.put('server.properties', 'a=1')
    const version = String((await rig.read('server.properties')).headers['etag'])
    fs.writeFileSync(path.join(rig.root, 'server.properties'), 'a=2')
    const answer = await rig.write('server.properties', 'a=3', { 'if-match': version })
    expect([answer.status, codeOf(answer)]).toEqual([409, 'CHANGED'])
    const { mtimeMs } = fs.statSync(path.join(rig.root, 'server.properties'))
    expect(answer.json).toMatchObject({ error: { mtimeMs: Math.trunc(mtimeMs) } })
    expect(rig.text('server.properties')).toBe('a=2')
    expect(parts()).toEqual([])
  })

  it('that was saved in the editor has its last twenty versions, each of which can be read', async () => {
    rig.put('config.yml', 'version 0')
    for (let number = 1; number <= 22; number += 1) {
      const version = String((await rig.read('config.yml')).headers['etag'])
      expect((await rig.write('config.yml', `version ${number}`, { 'if-match': version })).status).toBe(200)
    }
    const { versions } = (await rig.call('history', { path: 'config.yml' })).json as { versions: FileVersion[] }
    expect(versions).toHaveLength(20)
    expect(versions.map(({ savedAtMs }) => savedAtMs)).toEqual(
      versions.map(({ savedAtMs }) => savedAtMs).toSorted((one, other) => other - one),
    )
    const texts = []
    for (const { id } of versions) texts.push((await readVersion('config.yml', id)).bytes.toString())
    expect(texts.sort()).toEqual(Array.from({ length: 20 }, (_, index) => `version ${index + 2}`).sort())
    expect((await rig.call('history', { path: 'never.yml' })).json).toEqual({ versions: [] })
    rig.put('gone')
    await rig.settled('delete', { paths: ['gone'] })
    const [inBin = ''] = fs.readdirSync(path.join(rig.area, 'bin'))
    for (const id of ['..', `../../bin/${inBin}/about.json`, versions[0]?.id.replace(/.$/, 'g') ?? '']) {
      expect(codeOf(await readVersion('config.yml', id))).toBe('NOT_FOUND')
    }
    expect(codeOf(await readVersion('other.yml', versions[0]?.id ?? ''))).toBe('NOT_FOUND')
    expect(rig.tree()).toEqual(['config.yml'])
  })

  it('of two who save the same version, one is refused', async () => {
    rig.put('config.yml', 'zero')
    const version = String((await rig.read('config.yml')).headers['etag'])
    const answers = await Promise.all(
      ['one', 'two'].map((text) => rig.write('config.yml', text, { 'if-match': version })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(rig.text('config.yml')).toBe(answers[0]?.status === 200 ? 'one' : 'two')
  })

  it('is created only where nothing is: not over a file, a folder, or a dangling link', async () => {
    rig.put('a', 'a')
    rig.put('folder/x')
    const missing = path.join(rig.rig.folder, 'missing')
    fs.symlinkSync(missing, path.join(rig.root, 'dangling'))
    rig.own()
    const answers = await Promise.all(
      ['a', 'folder', 'dangling', 'new'].map((name) => rig.write(name, 'x', { 'if-none-match': '*' })),
    )
    expect(answers.map((answer) => codeOf(answer) ?? answer.status)).toEqual([
      'ALREADY_EXISTS',
      'NOT_A_FILE',
      'LINK_REFUSED',
      200,
    ])
    expect([rig.text('a'), rig.text('new')]).toEqual(['a', 'x'])
    expect(fs.existsSync(missing)).toBe(false)
  })

  it('that does not fit the storage is refused before its bytes', async () => {
    const { storageMiB } = rig.rig.server().core.spec?.limits ?? { storageMiB: 0 }
    rig.usage = { bytes: storageMiB * 1024 * 1024 - 100, ownBytes: 60 }
    expect(codeOf(await rig.write('a', 'x'.repeat(41)))).toBe('NO_SPACE')
    expect((await rig.write('a', 'x'.repeat(40))).status).toBe(200)
    expect(rig.tree()).toEqual(['a'])
  })

  it('beside nine others takes no storage that they have, and together they fit (case 107)', async () => {
    rig.usage = { bytes: rig.limitBytes - 3_500_000, ownBytes: 0 }
    const body = Buffer.alloc(1_000_000, 1)
    const names = Array.from({ length: 10 }, (_, index) => `part-${index}`)
    const answers = await Promise.all(names.map((name) => rig.write(name, body)))
    const stored = answers.filter(({ status }) => status === 200)
    expect([stored.length, answers.filter((answer) => codeOf(answer) === 'NO_SPACE').length]).toEqual([3, 7])
    const copy = await rig.job('copy', { moves: [{ from: rig.tree()[0] ?? '', to: 'copy' }] })
    expect(copy.refusals).toEqual(['NO_SPACE'])
    expect(rig.tree()).toHaveLength(3)
    rig.usage = { bytes: rig.limitBytes - 3_500_000, ownBytes: 0 }
    expect((await rig.write('after', body)).status).toBe(200)
  })

  it('that is refused tells its sender, who is still sending, why', async () => {
    rig.put('taken.zip', 'old')
    const body = Buffer.alloc(24 * 1024 * 1024, 1)
    const create = { 'if-none-match': '*' }
    expect(codeOf(await rig.write('taken.zip', body, create))).toBe('ALREADY_EXISTS')
    const token = await rig.token({ permissions: ['file.list'] })
    expect(codeOf(await rig.write('new.zip', body, create, { token }))).toBe('FORBIDDEN')
    expect([rig.text('taken.zip'), rig.exists('new.zip')]).toEqual(['old', false])
  })

  it('whose worker is killed meanwhile is asked for again, and what was there stays', async () => {
    rig.put('config.yml', 'old')
    await rig.call('list', { path: '' })
    const workers = execFileSync('pgrep', ['-f', 'bakter-file-worker', '-P', String(process.pid)], { encoding: 'utf8' })
    const answer = rig.write('config.yml', Buffer.alloc(64 * 1024 * 1024))
    await waitFor('the part', () => parts().length === 1)
    for (const pid of workers.trim().split('\n')) process.kill(Number(pid), 'SIGKILL')
    expect(codeOf(await answer)).toBe('BUSY')
    expect(rig.text('config.yml')).toBe('old')
    expect((await rig.write('config.yml', 'new')).status).toBe(200)
    expect([rig.text('config.yml'), parts()]).toEqual(['new', []])
  })

  it('leaves nothing behind when its sender is gone halfway', async () => {
    rig.put('world.zip', 'old')
    const token = await rig.token()
    const socket = connect(rig.port, '127.0.0.1')
    const head = `PUT /servers/${SERVER_ID}/files/content?path=world.zip HTTP/1.1\r\nHost: node\r\nAuthorization: Bearer ${token}\r\n`
    socket.write(`${head}Content-Length: 1000000\r\n\r\n`)
    socket.write(Buffer.alloc(300_000, 1))
    await waitFor('the part', () => parts().length === 1)
    socket.destroy()
    await waitFor('the end of the part', () => parts().length === 0)
    await waitFor('the end of the request', () => rig.door.running === 0)
    expect(rig.text('world.zip')).toBe('old')
  })
})

describe('a download', () => {
  it('gives one file once, under its own name whatever it holds (case 105), and not to a second request', async () => {
    rig.put('mentés "új"\n.zip', 'bytes')
    const token = await rig.downloadToken('mentés "új"\n.zip')
    const target = `/servers/${SERVER_ID}/download?token=${token}`
    expect((await rig.ask(target, { method: 'HEAD' })).status).toBe(200)
    const answer = await rig.ask(target)
    expect([answer.status, answer.bytes.toString()]).toEqual([200, 'bytes'])
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="ment_s __j__.zip"; filename*=UTF-8''ment%C3%A9s%20%22%C3%BAj%22%0A.zip`.replace(
        '__j__.zip',
        '__j__.zip',
      ),
    )
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-type': 'application/octet-stream',
    })
    expect(codeOf(await rig.ask(target))).toBe('INVALID_TOKEN')
  })

  it('gives a folder as an archive that tar unpacks to the same files', async () => {
    const bytes = randomBytes(700_000)
    rig.put('world/region/r.mca', bytes)
    rig.put('world/level.dat', 'level')
    fs.mkdirSync(path.join(rig.root, 'world/empty'))
    rig.own()
    const answer = await rig.ask(`/servers/${SERVER_ID}/download?token=${await rig.downloadToken('world')}`)
    expect(answer.headers['content-disposition']).toContain('filename="world.tar.gz"')
    const into = fs.mkdtempSync(path.join(rig.rig.folder, 'unpacked-'))
    execFileSync('tar', ['xz', '-C', into], { input: answer.bytes })
    expect(fs.readdirSync(into, { recursive: true }).sort()).toEqual([
      'world',
      'world/empty',
      'world/level.dat',
      'world/region',
      'world/region/r.mca',
    ])
    expect(fs.readFileSync(path.join(into, 'world/region/r.mca')).equals(bytes)).toBe(true)
  })
})

describe('who may do what', () => {
  it('needs the permission of the operation, by its name', async () => {
    rig.put('a', 'a')
    const having = async (...permissions: string[]) => ({ token: await rig.token({ permissions }) })
    const missing = (answer: Answer) => (answer.json as { error: { permission?: string } }).error.permission
    expect(missing(await rig.call('list', { path: '' }, await having('file.read')))).toBe('file.list')
    expect(missing(await rig.read('a', await having('file.list')))).toBe('file.read')
    expect(missing(await rig.write('b', 'b', { 'if-none-match': '*' }, await having('file.update')))).toBe(
      'file.create',
    )
    expect(missing(await rig.write('a', 'b', { 'if-match': '"x"' }, await having('file.create')))).toBe('file.update')
    expect(missing(await rig.write('a', 'b', {}, await having('file.create')))).toBe('file.update')
    expect(missing(await rig.call('create-folder', { path: 'c' }, await having('file.update')))).toBe('file.create')
    const update = ['move', 'change-mode', 'delete'] as const
    const inputs = {
      move: { moves: [{ from: 'a', to: 'b' }] },
      'change-mode': { paths: ['a'], mode: 0 },
      delete: { paths: ['a'] },
    }
    for (const call of update)
      expect(missing(await rig.call(call, inputs[call], await having('file.list', 'file.create')))).toBe('file.update')
    expect(rig.tree()).toEqual(['a'])
  })

  it('accepts no token of another purpose, server, node, key or time', async () => {
    const second = '0192aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa'
    const bad = [
      rig.token({}, { typ: 'console+jwt' }),
      rig.token({ purpose: 'console' }),
      rig.token({ server: second }),
      rig.token({ aud: second }),
      rig.token({}, { kid: 'other' }),
      rig.token({ exp: Math.floor(rig.rig.clock.now() / 1_000) - 61 }),
      rig.downloadToken('a'),
      Promise.resolve('not-a-token'),
    ]
    for (const token of bad) {
      const answer = await rig.call('list', { path: '' }, { token: await token })
      expect([answer.status, codeOf(answer)]).toEqual([401, 'INVALID_TOKEN'])
    }
  })

  it('is over when the session ends: a running download is cut, and its token opens nothing (case 131)', async () => {
    const file = fs.openSync(path.join(rig.root, 'large'), 'w')
    fs.ftruncateSync(file, 512 * 1024 * 1024)
    fs.closeSync(file)
    rig.own()
    const token = await rig.token({ sid: second })
    const socket = connect(rig.port, '127.0.0.1')
    socket.write(
      `GET /servers/${SERVER_ID}/files/content?path=large HTTP/1.1\r\nHost: node\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
    let received = 0
    socket.on('data', (piece) => (received += piece.length))
    await waitFor('the first bytes', () => received > 0)
    socket.pause()
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
    })
    rig.revocations.add({ serverId: null, sessionId: second, userId: USER_ID, issuedBeforeMs: rig.rig.clock.now() })
    rig.door.revoked()
    socket.resume()
    await closed
    expect(received).toBeLessThan(512 * 1024 * 1024)
    expect(codeOf(await rig.call('list', { path: '' }, { token }))).toBe('INVALID_TOKEN')
    expect((await rig.call('list', { path: '' })).status).toBe(200)
  })

  it("reads and takes an expired or suspended server's files, and changes nothing", async () => {
    rig.put('a', 'a')
    const { core } = rig.rig.server()
    const { spec } = core
    if (spec === null) throw new Error('no spec')
    const uploads = `/servers/${SERVER_ID}/files/uploads`
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '2', 'upload-metadata': 'path Yg==' }
    const begin = () => rig.ask(uploads, { method: 'POST', headers: tus })
    const begun = `/servers/${SERVER_ID}/files/${String((await begin()).headers['location'])}`
    const part = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    for (const change of [{ expiresAtMs: rig.rig.clock.now() - 61_000 }, { suspended: true }]) {
      core.save({ spec: { ...spec, ...change } })
      expect((await rig.ask(begun, { method: 'HEAD', headers: tus })).status).toBe(200)
      expect((await rig.call('list', { path: '' })).status).toBe(200)
      expect((await rig.read('a')).bytes.toString()).toBe('a')
      const answers = [
        await rig.write('a', 'b'),
        await rig.call('delete', { paths: ['a'] }),
        await rig.call('create-file', { path: 'b' }),
        await rig.call('move', { moves: [{ from: 'a', to: 'b' }] }),
        await rig.call('copy', { moves: [{ from: 'a', to: 'b' }] }),
        await rig.call('compress', { folder: '', names: ['a'], to: 'a.zip', format: 'zip' }),
        await rig.call('extract', { path: 'a', format: 'zip', to: '' }),
        await rig.call('change-mode', { paths: ['a'], mode: 0 }),
        await rig.call('restore', { id: second }),
        await rig.call('empty-bin', {}),
        await begin(),
        await rig.ask(begun, { method: 'PATCH', body: 'bb', headers: part }),
      ]
      expect(answers.map(codeOf)).toEqual(answers.map(() => 'READ_ONLY'))
      expect(rig.tree()).toEqual(['a'])
    }
    expect((await rig.ask(begun, { method: 'DELETE', headers: tus })).status).toBe(204)
    core.save({ spec })
  })
})

const second = '0192aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaab'
