import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { trustFrom } from '#platform/client-address.ts'
import { createMetrics } from '../../../src/server/metrics.ts'
import { createSiteListener } from '../../../src/server/site-listener.ts'

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const PAGE = `<!DOCTYPE html><script>boot()</script><p style="--a:1">${'hello '.repeat(400)}</p>`

type Handler = (request: IncomingMessage, response: ServerResponse) => void
let next: Handler
let seen: { url: string | undefined; headers: IncomingMessage['headers'] }
const lines: string[] = []
let site: { server: Server; endSockets: () => void }
let upstream: Server
let origin: string
let upgradeHeaders: IncomingMessage['headers'] = {}

const portOf = (server: Server) => (server.address() as AddressInfo).port
const say = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }))

beforeAll(async () => {
  upstream = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`${request.method} ${request.url} ${request.headers.cookie ?? 'no cookie'}`)
  })
  const sockets = new WebSocketServer({ server: upstream })
  sockets.on('connection', (socket, request) => {
    upgradeHeaders = request.headers
    socket.on('message', (data) => socket.send(`echo ${String(data)}`))
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  site = createSiteListener({
    stripeScriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
    next: async (request, response) => {
      seen = { url: request.url, headers: { ...request.headers } }
      next(request, response)
    },
    api: async (request, response) => {
      seen = { url: request.url, headers: { ...request.headers } }
      next(request, response)
    },
    isDevelopment: false,
    siteUrl: 'https://bakter.test',
    isSecure: true,
    gatewayUrl: `http://127.0.0.1:${portOf(upstream)}`,
    trust: trustFrom([]),
    isStaff: () => Promise.resolve(true),
    nodeOrigins: { current: () => ['wss://node.test:8080'], isDown: () => false },
    log: { info: say, warn: say, error: say, debug: say },
    metrics: createMetrics(),
    nowMs: () => 0,
  })
  site.server.listen(0, '127.0.0.1')
  await once(site.server, 'listening')
  origin = `http://127.0.0.1:${portOf(site.server)}`
})
afterAll(() => {
  site.endSockets()
  site.server.closeAllConnections()
  site.server.close()
  upstream.closeAllConnections()
  upstream.close()
})
beforeEach(() => {
  lines.length = 0
  next = (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('etag', '"one"')
    response.setHeader('cache-control', 's-maxage=31536000')
    response.end(PAGE)
  }
})

type Answer = { status: number; headers: IncomingMessage['headers']; rawHeaders: string[]; body: Buffer }
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((done, fail) => {
    const request = httpRequest(`${origin}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          body: Buffer.concat(chunks),
        }),
      )
    })
    request.on('error', fail)
    request.end()
  })

describe('pages', () => {
  test('have a policy that names exactly their inline parts', async () => {
    const { headers, body } = await ask('/hu')
    expect(body.toString()).toBe(PAGE)
    expect(headers['content-security-policy']).toContain(`script-src 'self' ${hash('boot()')};`)
    expect(headers['content-security-policy']).toContain(`style-src-attr 'unsafe-hashes' ${hash('--a:1')};`)
    expect(headers['content-security-policy']).toContain("connect-src 'self' wss://node.test:8080;")
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=63072000',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-language': 'hu',
    })
  })

  test('are public with a prefix, and private with Vary without one', async () => {
    expect((await ask('/hu')).headers['cache-control']).toMatch(/^public, max-age=0, s-maxage=5/)
    const unprefixed = await ask('/', { 'accept-language': 'de' })
    expect(seen.url).toBe('/de')
    expect(unprefixed.headers).toMatchObject({ 'cache-control': 'private, no-cache', 'content-language': 'de' })
    expect(unprefixed.headers.vary).toMatch(/Cookie.*Accept-Language/)
  })

  test('keep the status of a 404 and never share it', async () => {
    next = (_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' })
      response.end(PAGE)
    }
    expect(await ask('/hu/nothing')).toMatchObject({ status: 404, headers: { 'cache-control': 'private, no-cache' } })
  })

  test("name the page that answered in a part for Next's router", async () => {
    next = (_request, response) => {
      response.setHeader('content-type', 'text/x-component')
      response.end('0:')
    }
    const { headers } = await ask('/blog?_rsc=1', { rsc: '1', cookie: 'i18n=hu' })
    expect(seen.url).toBe('/hu/blog?_rsc=1')
    expect(headers['x-nextjs-rewritten-path']).toBe('/hu/blog')
  })

  test('renew their headers and not their policy when unchanged', async () => {
    next = (_request, response) => {
      response.writeHead(304, { etag: '"one"', 'cache-control': 's-maxage=31536000' })
      response.end()
    }
    const { status, headers } = await ask('/hu')
    expect(status).toBe(304)
    expect(headers['cache-control']).toMatch(/^public, max-age=0/)
    expect(headers['content-security-policy']).toBeUndefined()
  })

  test('are passed on above the size limit, under a policy without hashes', async () => {
    next = (_request, response) => {
      response.setHeader('content-type', 'text/html')
      for (let at = 0; at < 60; at += 1) response.write('x'.repeat(100_000))
      response.end('<script>late()</script>')
    }
    const { headers, body } = await ask('/hu')
    expect(body.byteLength).toBe(6_000_023)
    expect(headers['content-security-policy']).toContain("script-src 'self';")
  })

  test('redirect a shell without a session to the login page, and never reach Next', async () => {
    seen = { url: undefined, headers: {} }
    const { status, headers } = await ask('/dashboard/summary')
    expect({ status, location: headers.location, url: seen.url }).toEqual({
      status: 307,
      location: '/auth/login?next=%2Fdashboard%2Fsummary',
      url: undefined,
    })
    await ask('/dashboard/summary', { cookie: '__Host-bakter_access=x' })
    expect(seen.url).toBe('/en/dashboard/summary')
  })
})

describe('methods', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE'])(
    'refuse %s on a page, and it never reaches Next',
    async (method) => {
      seen = { url: undefined, headers: {} }
      for (const path of ['/hu', '/_next/static/a.js', '/robots.txt']) {
        const { status, headers } = await ask(path, {}, method)
        expect([status, headers.allow, seen.url]).toEqual([405, 'GET, HEAD', undefined])
      }
    },
  )

  test('refuse TRACE everywhere, and leave others to the route', async () => {
    seen = { url: undefined, headers: {} }
    const cookie = '__Host-bakter_access=x'
    for (const path of ['/api/user/me', '/admin']) expect((await ask(path, { cookie }, 'TRACE')).status).toBe(405)
    expect(seen.url).toBeUndefined()
    expect((await ask('/api/orders', { cookie }, 'POST')).status).toBe(200)
  })
})

describe('an API response', () => {
  test.each([
    ['without a word about caches', {}, 200],
    ['whose 404 Next would keep', { 'cache-control': 's-maxage=3600', 'content-type': 'text/html' }, 404],
  ])('is never cached: %s', async (_name, headers, status) => {
    next = (_request, response) => response.writeHead(status, headers).end('{}')
    for (const path of ['/api', '/api/cms/users/me'])
      expect((await ask(path)).headers['cache-control']).toBe('private, no-store')
  })

  test('may be cached as a picture, and not as a missing one', async () => {
    next = (_request, response) => response.writeHead(200, { 'content-type': 'image/png', etag: '"p"' }).end('png')
    expect((await ask('/api/cms/media/file/a.png')).headers['cache-control']).toBeUndefined()
    next = (_request, response) => response.writeHead(403, { 'content-type': 'application/json' }).end('{}')
    expect((await ask('/api/cms/media/file/a.png')).headers['cache-control']).toBe('private, no-store')
  })
})

test('a redirect has one address, however often Next writes it', async () => {
  next = (_request, response) => {
    response.setHeader('location', ['/dashboard/summary', '/dashboard/summary'])
    response.writeHead(307).end()
  }
  const { rawHeaders } = await ask('/dashboard/old', { cookie: '__Host-bakter_access=x' })
  expect(rawHeaders.filter((name) => name.toLowerCase() === 'location')).toHaveLength(1)
})

describe('compression', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('applies: %s', async (encoding, unpack) => {
    const { headers, body } = await ask('/hu', { 'accept-encoding': encoding })
    expect(headers['content-encoding']).toBe(encoding)
    // Weak, since compressed bytes are others; behind it stands the mark of the policy's origins.
    expect(headers.etag).toMatch(/^W\/"one-[0-9a-f]{12}"$/)
    expect(headers.vary).toContain('Accept-Encoding')
    expect(unpack(body).toString()).toBe(PAGE)
    expect(seen.headers['accept-encoding']).toBeUndefined()
  })

  test('sends a stream piece by piece, and to its end', async () => {
    next = (_request, response) => {
      response.setHeader('content-type', 'text/x-component')
      response.flushHeaders()
      response.write('first')
      setImmediate(() => response.end('last'))
    }
    const { headers, body } = await ask('/admin', { 'accept-encoding': 'gzip', cookie: '__Host-bakter_access=x' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(body).toString()).toBe('firstlast')
  })

  test('leaves pictures unchanged', async () => {
    const bytes = Buffer.alloc(5_000, 7)
    next = (_request, response) => {
      response.setHeader('content-type', 'image/png')
      response.end(bytes)
    }
    const { headers, body } = await ask('/api/cms/media/file/a.png', { 'accept-encoding': 'br' })
    expect(headers['content-encoding']).toBeUndefined()
    expect(body.equals(bytes)).toBe(true)
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
  })

  test('compresses a chunk once, whatever its query', async () => {
    let made = 0
    next = (_request, response) => {
      made += 1
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(`${made} ${'x'.repeat(3_000)}`)
    }
    const bodies = new Set<string>()
    for (const query of ['', '?dpl=1', '?x=2', '?x=3']) {
      const { body } = await ask(`/_next/static/chunks/once.js${query}`, { 'accept-encoding': 'br' })
      bodies.add(brotliDecompressSync(body).toString().slice(0, 2))
    }
    expect([...bodies]).toEqual(['1 '])
  })

  test('sends the headers for HEAD and no body', async () => {
    const { status, headers, body } = await ask('/hu', { 'accept-encoding': 'br' }, 'HEAD')
    expect({ status, bytes: body.byteLength, type: headers['content-type'] }).toEqual({
      status: 200,
      bytes: 0,
      type: 'text/html; charset=utf-8',
    })
  })

  test('gives HEAD of a page never requested before the policy of GET, with its hashes', async () => {
    next = (request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(request.method === 'HEAD' ? undefined : PAGE)
    }
    const [head, get] = [await ask('/hu', {}, 'HEAD'), await ask('/hu')]
    expect(head.headers['content-security-policy']).toContain(hash('boot()'))
    expect(head.headers['content-security-policy']).toBe(get.headers['content-security-policy'])
    expect([head.body.byteLength, get.body.toString()]).toEqual([0, PAGE])
    expect(lines.filter((line) => line.includes('"method":"HEAD"'))).toHaveLength(1)
  })
})

describe('a request as Next sees it', () => {
  test('has our address, host and scheme, whatever the client writes', async () => {
    await ask('/hu', {
      host: 'evil.test',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-host': 'evil.test',
      'x-bakter-address': '1.2.3.4',
    })
    expect(seen.headers).toMatchObject({
      host: 'bakter.test',
      'x-forwarded-host': 'bakter.test',
      'x-forwarded-proto': 'https',
      'x-bakter-address': '127.0.0.1',
    })
  })

  test('cannot reach private paths from outside', async () => {
    seen = { url: undefined, headers: {} }
    const { status, body } = await ask('/api/internal/revalidate', {}, 'POST')
    expect(status).toBe(404)
    expect(JSON.parse(body.toString())).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect(seen.url).toBeUndefined()
  })

  test('is refused in JSON when Next refuses it below the API', async () => {
    for (const status of [404, 405]) {
      next = (_request, response) =>
        response.writeHead(status, status === 404 ? { 'content-type': 'text/html' } : {}).end()
      const { headers, body } = await ask('/api/cms/nothing')
      expect(headers['content-type']).toContain('application/json')
      const code = status === 404 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED'
      expect(JSON.parse(body.toString())).toMatchObject({ error: { code } })
    }
  })

  test('leaves no query in any line of the log (case 129)', async () => {
    await ask('/hu?token=canary-token')
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(lines.join('\n')).not.toContain('canary-token')
    expect(lines.join('\n')).toContain('"path":"/hu"')
  })
})

describe('the control plane behind the site', () => {
  test('gets gateway sockets, without cookies and with our address', async () => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/ws/gateway?token=canary-token`, {
      headers: { cookie: '__Host-bakter_access=secret', 'x-forwarded-for': '1.2.3.4', origin: 'https://bakter.test' },
    })
    await once(socket, 'open')
    socket.send('hi')
    const [data] = (await once(socket, 'message')) as [Buffer]
    expect(String(data)).toBe('echo hi')
    expect(upgradeHeaders).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      origin: 'https://bakter.test',
      host: 'bakter.test',
    })
    expect(upgradeHeaders.cookie).toBeUndefined()
    expect(lines.join('\n')).not.toContain('canary-token')
    socket.terminate()
  })

  test('has open sockets closed with 1012 when the site ends, and new ones continue', async () => {
    const open = async () => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/ws/gateway`)
      await once(socket, 'open')
      return socket
    }
    const socket = await open()
    site.endSockets()
    const [code] = (await once(socket, 'close')) as [number]
    expect(code).toBe(1012)
    ;(await open()).terminate()
  })

  test('gets no other sockets', async () => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/ws/agent`)
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toContain('404')
  })

  test('gets at most 100 sockets of one address (case 137)', async () => {
    const open = () => new WebSocket(`${origin.replace('http', 'ws')}/api/ws/gateway`)
    const sockets = Array.from({ length: 100 }, open)
    await Promise.all(sockets.map((socket) => once(socket, 'open')))
    const [error] = (await once(open(), 'error')) as [Error]
    expect(error.message).toContain('429')
    for (const socket of sockets) socket.terminate()
  })

  test('gets payment pages, without the cookies of the site', async () => {
    const { status, body } = await ask('/payments/sandbox/1?x=1', { cookie: '__Host-bakter_access=secret' })
    expect({ status, body: body.toString() }).toEqual({ status: 200, body: 'GET /payments/sandbox/1?x=1 no cookie' })
  })
})
