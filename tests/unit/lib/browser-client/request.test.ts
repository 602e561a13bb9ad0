import { expect, test } from 'vitest'
import * as z from 'zod'
import { createApiClient } from '../../../../src/lib/browser-client/request.ts'

const schema = z.object({ value: z.number() })
const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })

type Handler = (path: string, init: RequestInit) => Response | Promise<Response>
const build = (handler: Handler) => {
  const calls: string[] = []
  let ends = 0
  const client = createApiClient({
    fetch: async (path, init) => {
      calls.push(`${init.method} ${path}`)
      return handler(path, init)
    },
    onSessionEnd: () => {
      ends += 1
    },
  })
  return { client, calls, ends: () => ends }
}

test('an expired token is refreshed once, also by calls that fail together, and the call is repeated', async () => {
  let fresh = false
  const { client, calls, ends } = build((path) => {
    if (path === '/api/auth/refresh') {
      fresh = true
      return json(200, {})
    }
    return fresh ? json(200, { value: 1 }) : json(401, {})
  })
  await Promise.all([client.call('/api/a', { schema }), client.call('/api/b', { schema })])
  expect(calls.filter((call) => call.includes('refresh'))).toHaveLength(1)
  expect(ends()).toBe(0)
})

test('a refused refresh ends the session', async () => {
  const { client, ends } = build(() => json(401, { error: { code: 'UNAUTHENTICATED', message: 'Nope.' } }))
  await expect(client.call('/api/a', { schema })).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 401 })
  expect(ends()).toBe(1)
})

test('a refresh that is refused for the number of requests logs nobody out', async () => {
  const { client, calls, ends } = build((path) =>
    path === '/api/auth/refresh' ? new Response('{}', { status: 429 }) : new Response('{}', { status: 401 }),
  )
  await expect(client.call('/api/user/me', { schema: z.object({}) })).rejects.toMatchObject({ code: 'OFFLINE' })
  expect([calls.length, ends()]).toEqual([2, 0])
})

test('a refresh without an answer logs nobody out', async () => {
  const { client, ends } = build((path) => {
    if (path === '/api/auth/refresh') throw new TypeError('network')
    return json(401, {})
  })
  await expect(client.call('/api/a', { schema })).rejects.toMatchObject({ code: 'OFFLINE' })
  expect(ends()).toBe(0)
})

test('a refusal carries its code, parameters and id', async () => {
  const { client } = build(() =>
    json(402, {
      error: { code: 'INSUFFICIENT_BALANCE', message: 'No.', params: { price: '490' }, requestId: 'r1' },
    }),
  )
  await expect(client.call('/api/a', { schema })).rejects.toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
    params: { price: '490' },
    requestId: 'r1',
  })
})

test('an answer outside the contract, or none in JSON, is unreadable', async () => {
  const wrong = build(() => json(200, { value: 'text' }))
  await expect(wrong.client.call('/api/a', { schema })).rejects.toMatchObject({ code: 'UNREADABLE' })
  const proxy = build(() => new Response('<html>', { status: 502 }))
  await expect(proxy.client.call('/api/a', { schema })).rejects.toMatchObject({ code: 'UNREADABLE', status: 502 })
})

test.each(['https://example.test/api/a', '//example.test/api/a', 'api/a'])('%s is refused unsent', async (path) => {
  const { client, calls } = build(() => json(200, { value: 1 }))
  await expect(client.call(path, { schema })).rejects.toThrow('own paths')
  expect(calls).toEqual([])
})

test('the body and the idempotency key are sent', async () => {
  let seen: RequestInit = {}
  const { client } = build((_path, init) => {
    seen = init
    return json(200, { value: 1 })
  })
  await client.call('/api/a', { schema, method: 'POST', body: { a: 1 }, idempotencyKey: 'k1' })
  expect(seen.body).toBe('{"a":1}')
  expect(seen.headers).toMatchObject({ 'idempotency-key': 'k1', 'content-type': 'application/json' })
})

test('a file is the whole body, as it is', async () => {
  let sent: RequestInit = {}
  const { client } = build((_path, init) => {
    sent = init
    return json(201, { value: 1 })
  })
  const file = new Blob(['bytes'])
  await client.call('/api/a', { method: 'POST', file, schema })
  expect(sent.body).toBe(file)
  expect(new Headers(sent.headers).get('content-type')).toBe('application/octet-stream')
})

test('a file is posted for, after a refresh where one is needed, and a refusal is told as any other', async () => {
  let fresh = false
  const { client, calls } = build((path) => {
    if (path === '/api/auth/refresh') {
      fresh = true
      return json(200, {})
    }
    if (path === '/api/refused') return json(422, { error: { code: 'WRONG_PASSWORD', message: 'No.' } })
    return fresh ? new Response('{"all":1}') : json(401, {})
  })
  expect(await (await client.download('/api/file', { password: 'x' })).text()).toBe('{"all":1}')
  expect(calls).toEqual(['POST /api/file', 'POST /api/auth/refresh', 'POST /api/file'])
  await expect(client.download('/api/refused', {})).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
})

test('a file that breaks off is none', async () => {
  const broken = new ReadableStream({
    pull: (controller) => controller.error(new Error('cut')),
  })
  const { client } = build(() => new Response(broken))
  await expect(client.download('/api/file', {})).rejects.toMatchObject({ code: 'OFFLINE' })
})
