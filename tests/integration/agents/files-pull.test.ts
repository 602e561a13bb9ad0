import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { isPublicAddress } from '#platform/public-address.ts'
import { answerOf } from '../../../agents/files/worker-answers.ts'
import { BYTES_TRAILER } from '../../../agents/files/worker-wire.ts'
import { nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { codeOf, FilesRig } from '../../support/files-rig.ts'
import { waitFor } from '../../support/wait-for.ts'
import { WebSource } from '../../support/web-source.ts'

/** Stands for the internet: the only address of this machine that these tests allow beside public ones. */
const PUBLIC = '127.0.0.1'
/** Stands for the node's own networks, by the rule of production. */
const PRIVATE = '127.0.0.2'

let files: FilesRig
let source: WebSource
let inner: WebSource
/** The addresses of each host, one answer for each question; the last one stays. */
let hosts: Record<string, string[][]>
beforeAll(async () => {
  files = await FilesRig.open()
  files.usage = { bytes: 0, ownBytes: 0 }
  source = await WebSource.open(PUBLIC)
  inner = await WebSource.open(PRIVATE)
})
afterAll(async () => {
  await files.close()
  await source.close()
  await inner.close()
})
beforeEach(() => {
  for (const name of fs.readdirSync(files.root)) fs.rmSync(path.join(files.root, name), { recursive: true })
  files.usage = { bytes: 0, ownBytes: 0 }
  files.activities.length = 0
  source.requests.length = 0
  inner.connections = 0
  hosts = { 'web.test': [[PUBLIC]], 'inner.test': [[PRIVATE]], 'both.test': [[PUBLIC, PRIVATE]] }
  Object.assign(files.network, {
    resolve: (host: string) => {
      const answers = hosts[host] ?? []
      return Promise.resolve((answers.length > 1 ? answers.shift() : answers[0]) ?? [])
    },
    isAllowed: (address: string) => address === PUBLIC || isPublicAddress(address),
    headMs: 20_000,
    stalledMs: 60_000,
  })
})

const at = (target = '/pack.zip', host = 'web.test'): string => `http://${host}:${source.port}${target}`
const pull = (address: string, more: { folder?: string; name?: string } = {}): Promise<FileJob> =>
  files.job('pull', { address, folder: '', ...more })
const begin = async (address: string, token?: string): Promise<FileJob> =>
  ((await files.call('pull', { address, folder: '' }, { token })).json as { job: FileJob }).job
const parts = () => fs.readdirSync(path.join(files.area, 'parts'))
const nothingIsLeft = async () => {
  await waitFor('its part to go', () => parts().length === 0)
  expect([files.tree(), files.activities]).toEqual([[], []])
}

describe('a file from the web', () => {
  it.each([
    ['of known length', (content: Buffer) => source.send(content, { 'content-length': String(content.length) })],
    [
      'of unknown length',
      (content: Buffer) => {
        source.answer = (_request, response) => {
          response.writeHead(200)
          for (let from = 0; from < content.length; from += 100_000)
            response.write(content.subarray(from, from + 100_000))
          response.end()
        }
      },
    ],
  ])(
    '%s comes byte by byte as it is, under the server’s user, and is in the log without its address',
    async (_kind, serve) => {
      const content = randomBytes(3_000_001)
      serve(content)
      fs.mkdirSync(path.join(files.root, 'plugins'))
      files.own()
      const job = await pull(at('/a/pack.zip?secret=x'), { folder: 'plugins' })
      expect(job).toMatchObject({
        state: 'done',
        kind: 'pull',
        path: 'plugins/pack.zip',
        done: 3_000_001,
        refusal: null,
      })
      const target = path.join(files.root, 'plugins/pack.zip')
      expect(fs.readFileSync(target).equals(content)).toBe(true)
      if (process.getuid?.() === 0) expect(fs.statSync(target).uid).toBe(files.uid)
      expect(files.activities.map(({ type, detail }) => [type, detail])).toEqual([
        ['server:file.pull', `plugins/pack.zip ← web.test:${source.port}`],
      ])
    },
  )

  it('may be empty', async () => {
    source.send('')
    expect((await pull(at('/empty.txt'))).state).toBe('done')
    expect(files.text('empty.txt')).toBe('')
  })

  it('has the name that was asked for, else that of its source', async () => {
    source.send('x', { 'content-disposition': 'attachment; filename="../../plugin one.jar"' })
    expect((await pull(at(), { name: 'mine.jar' })).path).toBe('mine.jar')
    expect((await pull(at())).path).toBe('plugin one.jar')
    expect(files.tree()).toEqual(['mine.jar', 'plugin one.jar'])
  })

  it('never replaces one that exists', async () => {
    files.put('pack.zip', 'old')
    source.send(randomBytes(1_000_000))
    expect(await pull(at())).toMatchObject({ state: 'failed', refusal: 'ALREADY_EXISTS', path: 'pack.zip' })
    expect(files.text('pack.zip')).toBe('old')
    expect(await pull(at(), { folder: 'missing' })).toMatchObject({ state: 'failed', refusal: 'NOT_FOUND' })
    expect([files.tree(), parts()]).toEqual([['pack.zip'], []])
  })

  it('stays compressed, and is asked for without compression or anything about the person', async () => {
    const packed = gzipSync('text')
    source.send(packed, { 'content-encoding': 'gzip' })
    await pull(at('/log.txt'))
    expect(fs.readFileSync(path.join(files.root, 'log.txt')).equals(packed)).toBe(true)
    expect(source.requests[0]?.headers).toEqual({
      host: `web.test:${source.port}`,
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'Bakter',
      connection: 'close',
    })
  })

  it('comes along five redirects, also relative ones, and not along six', async () => {
    const step = (url: string) => Number(/\d+/.exec(url)?.[0] ?? 0)
    const serve = (last: number) => {
      source.answer = ({ url = '' }, response) => {
        if (step(url) === last) response.end('here')
        else response.writeHead(307, { location: `/step-${step(url) + 1}.txt` }).end()
      }
    }
    serve(5)
    expect(await pull(at('/step-0.txt'))).toMatchObject({ state: 'done', path: 'step-5.txt' })
    serve(6)
    expect(await pull(at('/step-0.txt'))).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
    expect(files.tree()).toEqual(['step-5.txt'])
  })
})

describe('no packet goes to an address that is not public', () => {
  const to = (host: string): string => `http://${host}:${inner.port}/secret`

  it.each([
    ['itself', () => to(PRIVATE)],
    ['as one number', () => to('2130706434')],
    ['in octal digits', () => to('0177.0.0.2')],
    ['in hexadecimal digits', () => to('0x7f.0x0.0x0.0x2')],
    ['shortened', () => to('127.2')],
    ['with a dot at its end', () => to('127.0.0.2.')],
    ['mapped', () => to('[::ffff:127.0.0.2]')],
    ['by a name', () => to('inner.test')],
    ['by a name that also has a public one', () => to('both.test')],
    ['with another scheme', () => `ftp://${PRIVATE}:${inner.port}/`],
    ['with a name and password', () => `http://web.test@${PRIVATE}:${inner.port}/`],
  ])('%s, neither at once nor by a redirect', async (_kind, address) => {
    expect(await pull(address())).toMatchObject({ state: 'failed', refusal: 'ADDRESS_REFUSED' })
    source.redirect(address())
    expect(await pull(at())).toMatchObject({ state: 'failed', refusal: 'ADDRESS_REFUSED' })
    expect(inner.connections).toBe(0)
    await nothingIsLeft()
  })

  it('by a name that resolves to it after a redirect, or between check and connection', async () => {
    hosts['turns.test'] = [[PUBLIC], [PRIVATE]]
    source.redirect(to('turns.test'))
    expect(await pull(`http://turns.test:${source.port}/`)).toMatchObject({ refusal: 'ADDRESS_REFUSED' })
    // The name is asked once: a second answer would lead to the listener of the private address.
    hosts['rebinds.test'] = [[PUBLIC], [PRIVATE]]
    expect(await pull(to('rebinds.test'))).toMatchObject({ refusal: 'SOURCE_FAILED' })
    expect([hosts['rebinds.test'], inner.connections]).toEqual([[[PRIVATE]], 0])
    await nothingIsLeft()
  })
})

describe('nothing is left of a file that', () => {
  it('is larger than the storage, by its length or while it comes', async () => {
    files.usage = { bytes: files.limitBytes - 1_000_000, ownBytes: 0 }
    const content = randomBytes(1_500_000)
    source.send(content, { 'content-length': String(content.length) })
    expect(await pull(at())).toMatchObject({ state: 'failed', refusal: 'NO_SPACE' })
    source.answer = (_request, response) => {
      response.write(content.subarray(0, 700_000))
      response.end(content.subarray(700_000))
    }
    expect(await pull(at())).toMatchObject({ state: 'failed', refusal: 'NO_SPACE' })
    await nothingIsLeft()
    source.send(content.subarray(0, 900_000))
    expect((await pull(at())).state).toBe('done')
  })

  it.each([
    ['known', { 'content-length': '2000000' }],
    ['unknown', {}],
  ])('breaks off in the middle, of %s length', async (_kind, headers) => {
    source.answer = (_request, response) => {
      response.writeHead(200, headers)
      response.write(randomBytes(1_000_000), () => response.destroy())
    }
    expect(await pull(at())).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
    await nothingIsLeft()
  })

  it('ends at the worker without the trailer that says its length', async () => {
    const server = files.rig.manager.find(SERVER_ID)
    if (server === undefined) throw new Error('There is no server.')
    const statusWith = (trailers: Record<string, string> | undefined): Promise<number | undefined> =>
      files.serverFiles.use(server, async (session, room) => {
        const headers = { ...room, ':method': 'PUT', ':path': '/content?path=a.txt', 'if-none-match': '*' }
        const stream = session.request(headers, { waitForTrailers: trailers !== undefined })
        stream.once('wantTrailers', () => stream.sendTrailers(trailers ?? {}))
        stream.end('half')
        return (await answerOf(stream))[':status']
      })
    for (const trailers of [undefined, {}, { [BYTES_TRAILER]: '5' }]) expect(await statusWith(trailers)).toBe(400)
    await nothingIsLeft()
    expect([await statusWith({ [BYTES_TRAILER]: '4' }), files.text('a.txt')]).toEqual([200, 'half'])
  })

  it('stops coming, or never begins', async () => {
    Object.assign(files.network, { stalledMs: 200 })
    source.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '2000000' })
      response.write(randomBytes(1_000))
    }
    expect(await pull(at())).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
    Object.assign(files.network, { stalledMs: 60_000, headMs: 200 })
    source.answer = () => {}
    expect(await pull(at())).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
    await nothingIsLeft()
  })

  it('is not there, or whose source is not reached', async () => {
    source.answer = (_request, response) => void response.writeHead(404).end('page')
    expect(await pull(at())).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
    expect(await pull('http://nowhere.test/')).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
    // Speaks no TLS.
    expect(await pull(`https://web.test:${source.port}/`)).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
    await nothingIsLeft()
  })

  it('is cancelled while it comes', async () => {
    source.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '2000000' })
      response.write(randomBytes(1_000_000))
    }
    const job = await begin(at())
    expect(job).toMatchObject({ state: 'running', path: 'pack.zip', total: 2_000_000 })
    await files.call('end-job', { id: job.id })
    expect(await files.ended(job)).toMatchObject({ state: 'cancelled' })
    await nothingIsLeft()
  })
})

describe('who may', () => {
  it('needs the permission to create files', async () => {
    source.send('x')
    const token = await files.token({ permissions: PERMISSIONS.filter((each) => each !== 'file.create') })
    const refused = await files.call('pull', { address: at(), folder: '' }, { token })
    expect([refused.status, codeOf(refused)]).toEqual([403, 'FORBIDDEN'])
    expect([source.requests.length, files.tree()]).toEqual([0, []])
  })

  it('cannot on a server that is read-only', async () => {
    source.send('x')
    const spec = files.rig.manager.find(SERVER_ID)?.core.spec
    if (!spec) throw new Error('The server has no specification.')
    Object.assign(spec, { suspended: true })
    const refused = await files.call('pull', { address: at(), folder: '' })
    Object.assign(spec, { suspended: false })
    expect([refused.status, codeOf(refused)]).toEqual([403, 'READ_ONLY'])
    expect([source.requests.length, files.tree()]).toEqual([0, []])
  })

  it('has one at a time on a server, beside its archives', async () => {
    source.answer = (_request, response) => void response.writeHead(200).flushHeaders()
    files.put('a.txt', 'a')
    const first = await begin(at('/first.zip'))
    const second = await begin(at('/second.zip'), await files.token({ sub: nextId() }))
    expect([first.state, second.state]).toEqual(['running', 'waiting'])
    const archive = await files.job('compress', { folder: '', names: ['a.txt'], to: 'a.zip', format: 'zip' })
    expect(archive.state).toBe('done')
    for (const { id } of [second, first]) await files.call('end-job', { id })
    await files.ended(first)
    await waitFor('its part to go', () => parts().length === 0)
    expect(files.tree()).toEqual(['a.txt', 'a.zip'])
  })
})
