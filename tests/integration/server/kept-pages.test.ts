import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { trustFrom } from '#platform/client-address.ts'
import { markOf } from '../../../src/server/answer-headers.ts'
import { createMetrics } from '../../../src/server/metrics.ts'
import { createPageMemory } from '../../../src/server/page-memory.ts'
import { createSiteListener } from '../../../src/server/site-listener.ts'

// The whole listener over real sockets; only Next is the test's.
const SESSION = '__Host-bakter_access=canary-session; bakter_canary=canary-cookie'
const PRERENDERED = [
  '/hu',
  '/hu/blog',
  '/hu/auth/email',
  '/hu/dashboard/summary',
  '/hu/panel',
  '/hu/dashboard/balance/card',
]

let version: number
let asked: { url: string | undefined; headers: IncomingHttpHeaders }[]
let lines: Record<string, unknown>[]
let nodes: readonly string[]
let nowMs: number
let next: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

const pageOf = (path: string) =>
  `<!DOCTYPE html><script>boot(${version})</script><p style="--a:1">${path} ${'hello '.repeat(400)}</p>`

beforeEach(() => {
  version = 1
  asked = []
  lines = []
  nodes = ['wss://node.test:8080']
  nowMs = 0
  next = (request, response) => {
    response.setHeader('vary', 'rsc, next-router-state-tree')
    response.setHeader('x-nextjs-cache', 'HIT')
    response.setHeader('cache-control', 's-maxage=3600, stale-while-revalidate=31532400')
    response.setHeader('etag', `"v${version}"`)
    if (request.headers['if-none-match'] === `"v${version}"`) return void response.writeHead(304).end()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(pageOf(request.url ?? ''))
  }
})

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

const openSite = async ({ isKept = true } = {}) => {
  const settings = {
    isDevelopment: false,
    siteUrl: 'https://bakter.test',
    isSecure: true,
    gatewayUrl: 'http://127.0.0.1:1',
    stripeScriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
    nodeOrigins: { current: () => nodes, isDown: () => false },
  }
  const memory = createPageMemory({ nowMs: () => nowMs, mark: () => markOf(settings) })
  const say = (fields: object, message: string) => void lines.push({ ...fields, message })
  const metrics = createMetrics()
  const { server } = createSiteListener({
    ...settings,
    trust: trustFrom([]),
    metrics,
    nowMs: () => nowMs,
    log: { info: say, warn: say, error: say, debug: say },
    api: () => Promise.reject(new Error('nobody asks the API here')),
    isStaff: () => Promise.resolve(true),
    next: async (request, response) => {
      asked.push({ url: request.url, headers: { ...request.headers } })
      await next(request, response)
    },
    ...(isKept ? { keptPages: { memory, prerendered: new Set(PRERENDERED) } } : {}),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> => {
    const sent = httpRequest({ port, path, method, headers, agent: false }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }
  }
  return { ask, memory, metrics }
}

const ofOneRequest = ['date', 'x-request-id', 'x-nextjs-cache', 'connection', 'content-length', 'transfer-encoding']
const comparable = ({ headers }: Answer) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneRequest.includes(name)))

describe('served pages', () => {
  test('A page is rendered once and then served without Next', async () => {
    const { ask } = await openSite()
    const answers = [await ask('/hu'), await ask('/hu'), await ask('/hu')]
    expect(answers.map(({ body }) => body.toString())).toEqual(Array(3).fill(pageOf('/hu')))
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['/hu', {}],
    ['/', { 'accept-language': 'hu' }],
    ['/hu/blog', { 'accept-encoding': 'gzip' }],
    ['/hu/auth/email', { 'accept-encoding': 'br' }],
    ['/auth/email', { cookie: 'i18n=hu' }],
    ['/hu/dashboard/summary', { cookie: SESSION, 'accept-encoding': 'br' }],
    ['/hu/dashboard/balance/card', { cookie: SESSION }],
  ])('%s with %j has the headers and the bytes from memory that Next would send', async (path, headers) => {
    const [kept, plain] = [await openSite(), await openSite({ isKept: false })]
    const byNext = await plain.ask(path, headers)
    await kept.ask(path, headers)
    asked = []
    const fromMemory = await kept.ask(path, headers)
    expect(asked).toEqual([])
    expect(comparable(fromMemory)).toEqual(comparable(byNext))
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[String(fromMemory.headers['content-encoding'])]
    const text = (unpack ?? ((bytes: Buffer) => bytes))(fromMemory.body).toString()
    expect(text).toBe(pageOf(`/hu${path.replace(/^\/hu/, '').replace(/^\/$/, '')}`))
    expect(fromMemory.headers['content-length']).toBe(String(fromMemory.body.byteLength))
  })

  test('A page is public at its prefixed address and private at the negotiated one, whichever is read first', async () => {
    for (const paths of [
      ['/hu', '/', '/hu', '/'],
      ['/', '/hu', '/', '/hu'],
    ]) {
      const { ask } = await openSite()
      for (const path of paths) {
        const { 'cache-control': cache, vary } = (await ask(path, { 'accept-language': 'hu' })).headers
        expect([path, cache?.split(',')[0], /Cookie/.test(String(vary))]).toEqual(
          path === '/' ? [path, 'private', true] : [path, 'public', false],
        )
      }
    }
  })

  test('Each encoding of a page has its own bytes', async () => {
    const { ask } = await openSite()
    for (let round = 0; round < 2; round += 1) {
      expect(brotliDecompressSync((await ask('/hu', { 'accept-encoding': 'gzip, br' })).body).toString()).toBe(
        pageOf('/hu'),
      )
      expect(gunzipSync((await ask('/hu', { 'accept-encoding': 'gzip' })).body).toString()).toBe(pageOf('/hu'))
      expect((await ask('/hu', { 'accept-encoding': 'zstd' })).body.toString()).toBe(pageOf('/hu'))
    }
    expect(asked).toHaveLength(3)
  })

  test('Each response from memory has its own request id and log line', async () => {
    const { ask } = await openSite()
    const ids = [await ask('/hu'), await ask('/hu')].map(({ headers }) => headers['x-request-id'])
    expect(new Set(ids).size).toBe(2)
    await expect.poll(() => lines.map(({ requestId }) => requestId)).toEqual(ids)
    expect(lines.map(({ message, status, path }) => [message, status, path])).toEqual(
      Array(2).fill(['answered', 200, '/hu']),
    )
  })

  test('The metrics count responses from memory and rendered pages', async () => {
    const { ask, metrics } = await openSite()
    for (let count = 0; count < 3; count += 1) await ask('/hu')
    const { values } = await metrics.pages.get()
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels.from, value]))).toEqual({ memory: 2, next: 1 })
  })

  test('HEAD of a page returns its length and no body', async () => {
    const { ask } = await openSite()
    for (let round = 0; round < 2; round += 1) {
      const { status, headers, body } = await ask('/hu', {}, 'HEAD')
      expect([status, headers['content-length'], body.byteLength]).toEqual([200, String(pageOf('/hu').length), 0])
    }
    expect((await ask('/hu')).body.toString()).toBe(pageOf('/hu'))
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['as it was sent', (etag: string) => etag],
    ['weak', (etag: string) => `W/${etag.replace(/^W\//, '')}`],
    ['in a list', (etag: string) => `"other", ${etag}, W/"third"`],
    ['as any', () => '*'],
  ])('An If-None-Match header with the ETag %s gets a 304 with the headers of the page', async (_name, named) => {
    const { ask } = await openSite()
    const full = await ask('/hu', { 'accept-encoding': 'br' })
    const again = await ask('/hu', { 'accept-encoding': 'br', 'if-none-match': named(full.headers.etag ?? '') })
    expect([again.status, again.body.byteLength, asked.length]).toEqual([304, 0, 1])
    const {
      'content-type': _type,
      'content-encoding': _encoding,
      'content-security-policy': _policy,
      ...rest
    } = comparable(full)
    expect(comparable(again)).toEqual(rest)
  })

  test('A conditional first request renders the whole page and keeps it', async () => {
    const { ask } = await openSite()
    const { headers } = await ask('/hu')
    const second = await openSite()
    expect((await second.ask('/hu', { 'if-none-match': headers.etag ?? '' })).status).toBe(304)
    asked = []
    expect((await second.ask('/hu')).body.toString()).toBe(pageOf('/hu'))
    expect(asked).toEqual([])
  })
})

describe('visitors', () => {
  test('Nothing of the first visitor reaches the rendering of a kept page', async () => {
    const { ask } = await openSite()
    const theirs = {
      cookie: SESSION,
      authorization: 'Bearer canary-token',
      'user-agent': 'canary-browser',
      'accept-language': 'hu',
      'x-forwarded-for': '203.0.113.7',
      referer: 'https://bakter.test/?canary-referrer',
    }
    await ask('/hu', theirs)
    await ask('/dashboard/summary', theirs)
    expect(asked.map(({ url }) => url)).toEqual(['/hu', '/hu/dashboard/summary'])
    for (const { headers } of asked)
      expect(headers).toEqual({
        host: 'bakter.test',
        'x-forwarded-host': 'bakter.test',
        'x-forwarded-proto': 'https',
      })
  })

  test('A page that prints its request headers shows nothing of one visitor to another', async () => {
    const { ask } = await openSite()
    const byNext = next
    next = (request, response) => {
      const end = response.end.bind(response) as (chunk: string) => ServerResponse
      Object.assign(response, { end: (chunk: string) => end(`${chunk}${JSON.stringify(request.headers)}`) })
      return byNext(request, response)
    }
    const signedIn = await ask('/hu/blog', { cookie: SESSION, 'user-agent': 'canary-browser' })
    const signedOut = await ask('/hu/blog')
    expect(signedOut.body.equals(signedIn.body)).toBe(true)
    expect(signedOut.body.toString()).not.toContain('canary')
  })

  test('A kept shell still redirects visitors without a session to the login page', async () => {
    const { ask } = await openSite()
    for (const path of ['/hu/dashboard/summary', '/panel/0190/console']) {
      expect((await ask(path, { cookie: `${SESSION}; i18n=hu` })).status).toBe(200)
      const { status, headers, body } = await ask(path, { cookie: 'i18n=hu' })
      expect([status, body.byteLength]).toEqual([307, 0])
      expect(headers.location).toContain('/auth/login?next=')
    }
  })
})

describe('pages that are not kept', () => {
  test.each([
    ['with a query', '/hu?utm_source=x', {}, 'GET'],
    ['as data for the router', '/hu?_rsc=1', { rsc: '1' }, 'GET'],
    ['as data for the router without its mark', '/hu', { rsc: '1' }, 'GET'],
    ['for a preview', '/hu', { cookie: '__prerender_bypass=x' }, 'GET'],
    ['that the build has not made', '/hu/nothing', {}, 'GET'],
  ])('A page %s is served by Next every time', async (_name, path, headers, method) => {
    const { ask, memory } = await openSite()
    await ask(path, headers, method)
    await ask(path, headers, method)
    expect([asked.map(({ url }) => url), memory.count()]).toEqual([[path, path], 0])
  })

  test.each([
    ['that fails', { status: 500 }],
    ['that declares itself not found', { text: '<main data-status="404">' }],
    ['that sets a cookie', { cookie: 'a=b' }],
    ['that Next is about to render again', { cache: 'STALE' }],
    ['that is rendered per request', { cacheControl: 'private, no-cache, no-store, max-age=0' }],
  ])('A page %s is not kept', async (_name, change) => {
    const {
      status = 200,
      text = 'body',
      cookie,
      cache = 'HIT',
      cacheControl = 's-maxage=3600',
    } = change as {
      status?: number
      text?: string
      cookie?: string
      cache?: string
      cacheControl?: string
    }
    next = (_request, response) => {
      if (cookie) response.setHeader('set-cookie', cookie)
      response.setHeader('x-nextjs-cache', cache)
      response.setHeader('cache-control', cacheControl)
      response.setHeader('etag', '"one"')
      response.writeHead(status, { 'content-type': 'text/html' }).end(text)
    }
    const { ask, memory } = await openSite()
    const answer = await ask('/hu')
    expect([answer.body.toString(), memory.count()]).toEqual([text, 0])
    expect(answer.status).toBe(text.includes('404') ? 404 : status)
  })
})

describe('the end of a kept page', () => {
  test('A change of content drops a kept page', async () => {
    const { ask, memory } = await openSite()
    await ask('/hu')
    version = 2
    expect((await ask('/hu')).body.toString()).toContain('boot(1)')
    memory.forget()
    expect((await ask('/hu')).body.toString()).toContain('boot(2)')
  })

  test('A new node causes a new rendering whose policy names it', async () => {
    const { ask } = await openSite()
    const first = await ask('/hu')
    nodes = [...nodes, 'wss://new.test:8080']
    const second = await ask('/hu', { 'if-none-match': first.headers.etag ?? '' })
    expect(second.status).toBe(200)
    expect(second.headers['content-security-policy']).toContain('wss://node.test:8080 wss://new.test:8080;')
    expect(second.headers.etag).not.toBe(first.headers.etag)
  })

  test('An expired page is rendered again', async () => {
    const { ask } = await openSite()
    await ask('/hu')
    nowMs = 60_000
    await ask('/hu')
    expect(asked).toHaveLength(2)
  })

  test('A kept page is served while Next fails', async () => {
    const { ask } = await openSite()
    const before = await ask('/hu')
    next = () => Promise.reject(new Error('no database'))
    const { status, body } = await ask('/hu')
    expect({ status, body }).toEqual({ status: 200, body: before.body })
    expect((await ask('/hu/blog')).status).toBe(500)
  })

  test('A hundred concurrent requests for a page share one rendering', async () => {
    const { ask } = await openSite()
    const byNext = next
    let letGo: () => void = () => {}
    const isHeld = new Promise<void>((done) => (letGo = done))
    next = async (request, response) => {
      await isHeld
      await byNext(request, response)
    }
    const all = Promise.all(Array.from({ length: 100 }, () => ask('/hu', { 'accept-encoding': 'br' })))
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    letGo()
    expect(new Set((await all).map(({ status, body }) => `${status} ${body.toString('base64')}`)).size).toBe(1)
    expect(asked).toHaveLength(1)
  })
})
