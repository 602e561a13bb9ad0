import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ApiBindings, ApiEnv } from '../../../src/api/api-call.ts'
import { isApiPath, openApiDoor } from '../../../src/server/api-door.ts'
import { trustFrom } from '#platform/client-address.ts'
import { createMetrics } from '../../../src/server/metrics.ts'
import { createSiteListener } from '../../../src/server/site-listener.ts'

type Api = Parameters<typeof openApiDoor>[0]

const SITE = 'https://bakter.test'
const lines: Record<string, unknown>[] = []
const servers: Server[] = []
let api: Api
let site: Server
let asked: string[] = []

/** The line of a request in the log, which is written after the response has left. */
const linesOf = (requestId: unknown) => lines.filter((line) => line['requestId'] === requestId)

const say = (fields: object, message: string) => void lines.push({ ...fields, message })

const listen = async (answer: Api): Promise<Server> => {
  const { server } = createSiteListener({
    stripeScriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
    api: openApiDoor(answer),
    next: async (request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"by":"next"}')
    },
    isDevelopment: false,
    siteUrl: SITE,
    isSecure: true,
    gatewayUrl: 'http://127.0.0.1:1',
    trust: trustFrom([]),
    isStaff: () => Promise.resolve(true),
    nodeOrigins: { current: () => [], isDown: () => false },
    log: { info: say, warn: say, error: say, debug: say },
    metrics: createMetrics(),
    nowMs: () => 0,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return server
}

beforeAll(async () => {
  // Nobody listens at these addresses: what reaches for the database or the control plane fails.
  Object.assign(process.env, {
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
    SITE_URL: SITE,
    INTERNAL_SECRET: 'internal secret of the tests',
    PAYLOAD_SECRET: 'payload secret of the tests',
    CONTROL_PLANE_URL: 'http://127.0.0.1:1',
  })
  const { createApi } = await import('../../../src/api/app/app.ts')
  api = createApi()
  site = await listen(api)
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  const { identity } = await import('../../../src/identity/dependencies.ts')
  await identity().db.close()
})
beforeEach(() => {
  lines.length = 0
  asked = []
})

const portOf = (server: Server) => (server.address() as AddressInfo).port

type Sent = { method?: string; headers?: Record<string, string>; body?: string; server?: Server }
const ask = async (path: string, { method = 'GET', headers = {}, body, server = site }: Sent = {}) => {
  const request = httpRequest({ host: '127.0.0.1', port: portOf(server), path, method, headers, agent: false })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }
}
const json = ({ body }: { body: Buffer }) => JSON.parse(body.toString('utf8')) as { error: Record<string, unknown> }
const JSON_BODY = { 'content-type': 'application/json', origin: SITE }

/** The lines that routes write to the log while `work` runs. */
const errorLines = async (work: () => Promise<void>): Promise<Record<string, unknown>[]> => {
  const written: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return written.map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('the listener of the API', () => {
  test('routes /api/cms to Payload and everything else below /api to the API', async () => {
    expect(['/api', '/api/user/me', '/api/cmsx', '/api/nothing'].map(isApiPath)).toEqual([true, true, true, true])
    expect(['/api/cms', '/api/cms/users/me', '/apis', '/login', '/'].map(isApiPath)).toEqual(Array(5).fill(false))
    expect((await ask('/api/status')).body.toString()).toBe('{"site":"up","controlPlane":"down"}')
    expect(asked).toEqual([])
    expect((await ask('/api/cms/users/me')).body.toString()).toBe('{"by":"next"}')
    expect(asked).toEqual(['/api/cms/users/me'])
  })

  test('sends the headers of every response with one of the API, and nobody caches it', async () => {
    const { headers } = await ask('/api/status', { headers: { 'accept-language': 'hu' } })
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-language': 'hu',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    })
    await expect
      .poll(() => linesOf(headers['x-request-id']))
      .toMatchObject([{ message: 'answered', path: '/api/status', status: 200 }])
  })

  test('compresses a long response of the API', async () => {
    const { headers, body } = await ask('/api/openapi.json', { headers: { 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(body).toString())).toMatchObject({ openapi: '3.1.0' })
  })

  test('sends a download while it is created, and an aborted one does not look complete', async () => {
    const { sendDownload } = await import('../../../src/api/answer.ts')
    const app = new Hono<ApiEnv>()
    async function* pieces(breaks: boolean) {
      yield '{"one":1,'
      await new Promise((resolve) => setTimeout(resolve, 10))
      if (breaks) throw new Error('the source is gone')
      yield '"two":2}'
    }
    const headers = { 'content-type': 'application/json' }
    for (const path of ['whole', 'half'])
      app.get(`/api/${path}`, (c) =>
        sendDownload(c, { fileName: 'all.json', chunks: pieces(path === 'half') }, headers),
      )
    const server = await listen(async (request, bindings) => app.fetch(request, bindings))
    const whole = await ask('/api/whole', { server })
    expect([whole.body.toString(), whole.headers['content-disposition']]).toEqual([
      '{"one":1,"two":2}',
      'attachment; filename="all.json"',
    ])
    const written = await errorLines(async () => {
      await expect(ask('/api/half', { server })).rejects.toThrow('aborted')
    })
    expect(written).toMatchObject([{ level: 50, msg: 'a download broke off' }])
  })

  test('answers HEAD with the status and the headers of GET, and no body', async () => {
    const [head, get] = [await ask('/api/status', { method: 'HEAD' }), await ask('/api/status')]
    expect([head.status, head.headers['content-type'], head.body.byteLength]).toEqual([
      get.status,
      get.headers['content-type'],
      0,
    ])
  })

  test('lets no client name its own address or request id, whatever it sends and however the request is read', async () => {
    const seen: ApiBindings[] = []
    const server = await listen(async (request, bindings) => {
      await new Response(request.body).text()
      seen.push(bindings)
      return new Response('{}', { headers: { 'content-type': 'application/json' } })
    })
    const forged = {
      'x-bakter-address': '203.0.113.9',
      'x-request-id': 'forged-request-id',
      'x-forwarded-for': '203.0.113.9',
    }
    const { headers } = await ask('/api/x', {
      method: 'POST',
      headers: { ...JSON_BODY, ...forged },
      body: '{}',
      server,
    })
    expect(seen.map(({ address, requestId }) => [address, requestId])).toEqual([['127.0.0.1', headers['x-request-id']]])
    expect(headers['x-request-id']).not.toBe('forged-request-id')
  })
})

describe('a request that matches no call of the API', () => {
  test("for an unknown path is refused with 404 in JSON, under the request's id", async () => {
    for (const path of ['/api', '/api/nothing', '/api/user/me/more']) {
      const answer = await ask(path)
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
      const requestId = answer.headers['x-request-id']
      expect(json(answer)).toEqual({ error: { code: 'NOT_FOUND', message: 'Not found.', requestId } })
    }
  })

  test('for a path in another spelling names no call, so that no sign-in bypasses its limit', async () => {
    for (const path of ['/api/auth/%6Cogin', '/api/auth%2Flogin', '/api//auth/login', '/api/auth/login;x']) {
      const answer = await ask(path, { method: 'POST', headers: JSON_BODY, body: '{}' })
      expect([path, answer.status, json(answer).error['message']]).toEqual([path, 404, 'Not found.'])
    }
  })

  test('with a method that a call does not have is refused with 405 and the allowed methods', async () => {
    const put = await ask('/api/orders', { method: 'PUT' })
    expect([put.status, put.headers.allow, json(put).error['code']]).toEqual([405, 'POST', 'METHOD_NOT_ALLOWED'])
    const me = await ask('/api/user/me', { method: 'DELETE' })
    expect([me.status, me.headers.allow]).toEqual([405, 'GET, PATCH'])
    const description = await ask('/api/openapi.json', { method: 'POST' })
    expect([description.status, description.headers.allow]).toEqual([405, 'GET'])
  })

  test('with OPTIONS gets the methods of a path', async () => {
    const { status, headers } = await ask('/api/user/me', { method: 'OPTIONS' })
    expect([status, headers.allow]).toEqual([204, 'GET, PATCH, HEAD, OPTIONS'])
  })

  test('for an address with an extra slash gets the right one, with its query', async () => {
    const { status, headers } = await ask('/api/user/servers/?limit=5')
    expect([status, headers.location]).toEqual([308, '/api/user/servers?limit=5'])
  })

  test('with a body that is not JSON is refused with 400', async () => {
    const answer = await ask('/api/auth/login', { method: 'POST', headers: JSON_BODY, body: '{"username":' })
    expect([answer.status, json(answer).error['code']]).toEqual([400, 'BAD_REQUEST'])
  })

  test('with a body that is too large is refused with 413, whether its length is declared or not', async () => {
    const body = JSON.stringify({ username: 'x'.repeat(70_000) })
    const declared = { ...JSON_BODY, 'content-length': String(Buffer.byteLength(body)) }
    const chunked = { ...JSON_BODY, 'transfer-encoding': 'chunked' }
    for (const headers of [declared, chunked]) {
      const answer = await ask('/api/auth/login', { method: 'POST', headers, body })
      expect([answer.status, json(answer).error['code']]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    }
  })
})

describe('a failure of a call', () => {
  test("is answered with 500 in JSON, and one line of the log has its cause under the caller's id", async () => {
    let answer: Awaited<ReturnType<typeof ask>> | undefined
    // The database is away, which no handler expects.
    const written = await errorLines(async () => {
      answer = await ask('/api/switches', { headers: { 'accept-language': 'en' } })
    })
    const requestId = answer?.headers['x-request-id']
    expect(answer?.status).toBe(500)
    expect(json(answer ?? { body: Buffer.from('{}') })).toMatchObject({ error: { code: 'INTERNAL', requestId } })
    expect(answer?.body.toString()).not.toContain('ECONNREFUSED')
    expect(written).toMatchObject([{ level: 50, msg: 'route failed', requestId, route: 'GET /api/switches' }])
    await expect.poll(() => linesOf(requestId).filter(({ message }) => message === 'answered')).toHaveLength(1)
  })

  test('that is thrown outside every handler is a 500 too, and the site continues', async () => {
    const server = await listen(() => Promise.reject(new Error('broken')))
    expect((await ask('/api/status', { server })).status).toBe(500)
    expect((await ask('/api/status', { server })).status).toBe(500)
  })

  test('is not caused by a client that disconnects in the middle of its body', async () => {
    const written = await errorLines(async () => {
      const socket = connect(portOf(site), '127.0.0.1')
      await once(socket, 'connect')
      const head = `POST /api/auth/login HTTP/1.1\r\nhost: x\r\norigin: ${SITE}\r\ncontent-type: application/json\r\n`
      socket.write(`${head}content-length: 500\r\n\r\n{"username":`)
      await new Promise((resolve) => setTimeout(resolve, 50))
      socket.destroy()
      await expect.poll(() => lines.some(({ path }) => path === '/api/auth/login')).toBe(true)
    })
    expect(written).toEqual([])
    expect((await ask('/api/status')).status).toBe(200)
  })
})
