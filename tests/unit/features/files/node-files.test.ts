import { describe, expect, it } from 'vitest'
import type { NodeTokenRequest } from '#contracts/http/server.ts'
import { FileTrouble } from '@/features/files/file-trouble.ts'
import { NodeFiles } from '@/features/files/node-files.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'

type Sent = { readonly url: string; readonly init: RequestInit }
const MINUTE_MS = 60_000

/** A node that answers in order, and the site that gives tokens for it. */
const world = (answers: (() => Response | Promise<Response>)[]) => {
  const sent: Sent[] = []
  const asked: NodeTokenRequest[] = []
  let nowMs = 0
  const node = new NodeFiles({
    access: (request) => {
      asked.push(request)
      const path = request.purpose === 'files' ? '/servers/1/files' : '/servers/1/download'
      const expiresAt = new Date(nowMs + 10 * MINUTE_MS).toISOString()
      return Promise.resolve({ url: 'wss://node.test/agent/', path, token: `t${asked.length}`, expiresAt })
    },
    fetch: async (url, init) => {
      sent.push({ url, init })
      const answer = answers.shift()
      if (answer === undefined) throw new Error('one request too many')
      return answer()
    },
    now: () => nowMs,
    page: () => 'https://bakter.test/panel/1/files',
  })
  return { node, sent, asked, wait: (ms: number) => (nowMs += ms) }
}

const json =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status })
const refused = (code: string, status: number, more: object = {}) =>
  json({ error: { code, message: '', ...more } }, status)
const bearer = ({ init }: Sent) => new Headers(init.headers).get('authorization')
const folder = { entries: [], total: 0 }
const code = (expected: string) => expect.objectContaining({ code: expected }) as Error

describe('the files of a node', () => {
  it('are asked for with one token until a minute before it ends', async () => {
    const { node, sent, asked, wait } = world([json(folder), json(folder), json(folder)])
    expect(await node.call('list', { path: 'a' })).toEqual(folder)
    wait(8 * MINUTE_MS)
    await node.call('list', { path: 'b' })
    wait(1.5 * MINUTE_MS)
    await node.call('list', { path: 'c' })
    expect(sent.map(({ url }) => url)).toEqual(Array(3).fill('https://node.test/agent/servers/1/files/list'))
    expect(sent.map(bearer)).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2'])
    expect(asked).toHaveLength(2)
  })

  it('whose token is refused are asked once more with a new one, and not for ever', async () => {
    const { node, sent } = world([
      refused('INVALID_TOKEN', 401),
      json(folder),
      refused('INVALID_TOKEN', 401),
      refused('INVALID_TOKEN', 401),
    ])
    await node.call('list', { path: '' })
    await expect(node.call('list', { path: '' })).rejects.toThrow(code('INVALID_TOKEN'))
    expect(sent.map(bearer)).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t2', 'Bearer t3'])
  })

  it('that are refused say why, and which permission is missing', async () => {
    const { node } = world([
      refused('FORBIDDEN', 403, { permission: 'file.update' }),
      refused('CHANGED', 409, { mtimeMs: 7, etag: '"2"' }),
    ])
    await expect(node.call('delete', { paths: ['a'] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      permission: 'file.update',
    })
    await expect(node.write('a', 'x', '"1"')).rejects.toMatchObject({ code: 'CHANGED', mtimeMs: 7 })
  })

  it('of a node that is away, or that somebody else answers for, say so', async () => {
    const { node } = world([
      () => Promise.reject(new TypeError('failed')),
      () => new Response('<html>', { status: 502 }),
      json({ unexpected: true }),
    ])
    await expect(node.call('list', { path: '' })).rejects.toThrow(code('AWAY'))
    await expect(node.call('list', { path: '' })).rejects.toThrow(code('AWAY'))
    await expect(node.call('list', { path: '' })).rejects.toThrow(code('INTERNAL'))
  })

  it('are written over the version that was read, or created', async () => {
    const { node, sent } = world([json({ etag: '"2"', mtimeMs: 1 }), json({ etag: '"1"', mtimeMs: 1 })])
    expect(await node.write('ő b.yml', 'x', '"1"')).toBe('"2"')
    await node.write('new', 'x', null)
    expect(sent[0]?.url).toBe('https://node.test/agent/servers/1/files/content?path=%C5%91%20b.yml')
    const conditions = sent.map(({ init }) => [
      new Headers(init.headers).get('if-match'),
      new Headers(init.headers).get('if-none-match'),
    ])
    expect(conditions).toEqual([
      ['"1"', null],
      [null, '*'],
    ])
  })

  it('are read by pieces, with the size of the whole', async () => {
    const piece = () => new Response('abc', { status: 206, headers: { etag: '"1"', 'content-range': 'bytes 0-2/9' } })
    const { node, sent } = world([
      piece,
      refused('NO_SUCH_RANGE', 416),
      () => new Response('', { headers: { etag: '"0"' } }),
    ])
    const read = await node.read('a', { from: 0, limit: 3 })
    expect([new TextDecoder().decode(read.bytes), read.etag, read.total]).toEqual(['abc', '"1"', 9])
    expect(new Headers(sent[0]?.init.headers).get('range')).toBe('bytes=0-2')
    expect(await node.read('empty', { from: 0, limit: 3 })).toMatchObject({ etag: '"0"', total: 0 })
  })

  it('are downloaded by a link of their own, after a look', async () => {
    const { node, sent, asked } = world([() => new Response(null), () => new Response(null, { status: 404 })])
    expect(await node.downloadAddress('world')).toBe('https://node.test/agent/servers/1/download?token=t1')
    expect(asked).toEqual([{ purpose: 'download', path: 'world' }])
    expect(sent[0]?.init.method).toBe('HEAD')
    await expect(node.downloadAddress('gone')).rejects.toThrow(code('NOT_FOUND'))
  })
})

it('a token that the site does not give is trouble with the node, or with a permission', async () => {
  const failing = (failure: unknown) =>
    new NodeFiles({
      access: () => Promise.reject(failure),
      fetch: () => Promise.reject(new Error('unused')),
      now: () => 0,
      page: () => 'https://bakter.test',
    })
  const api = (failureCode: 'NODE_UNREACHABLE' | 'FORBIDDEN' | 'NOT_FOUND', params = {}) =>
    new ApiFailure({ code: failureCode, status: 400, message: '', params })
  await expect(failing(api('NODE_UNREACHABLE')).call('usage', {})).rejects.toThrow(code('AWAY'))
  const forbidden = failing(api('FORBIDDEN', { permission: 'file.list' }))
  await expect(forbidden.call('usage', {})).rejects.toMatchObject({ code: 'FORBIDDEN', permission: 'file.list' })
  await expect(failing(api('NOT_FOUND')).call('usage', {})).rejects.not.toBeInstanceOf(FileTrouble)
})
