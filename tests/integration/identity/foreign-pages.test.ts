import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_ROUTES } from '#contracts/http/routes/routes.ts'
import { ErrorBody } from '#contracts/http/errors.ts'
import { createIdentityDatabase } from '../../support/identity-context.ts'

const SITE = 'https://bakter.test'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>

let database: Awaited<ReturnType<typeof createIdentityDatabase>>
let close: () => Promise<void>
const handlers = new Map<string, Handler>()

beforeAll(async () => {
  database = await createIdentityDatabase()
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    SITE_URL: SITE,
    INTERNAL_SECRET: 'internal secret of the tests',
    PAYLOAD_SECRET: 'payload secret of the tests',
    // Nobody listens there: what reaches it answers 503.
    CONTROL_PLANE_URL: 'http://127.0.0.1:1',
  })
  const files = readdirSync('src/app/api', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('route.ts') && !path.startsWith('internal') && !path.startsWith('openapi'))
    .sort()
  for (const file of files) {
    const loaded = (await import(`../../../src/app/api/${file}`)) as Record<string, Handler>
    const path = `/api/${file.replace(/\/route\.ts$/, '').replaceAll(/\[(\w+)\]/g, '{$1}')}`
    for (const method of METHODS) {
      const handler = loaded[method]
      if (handler) handlers.set(`${method} ${path}`, handler)
    }
  }
  const { identity } = await import('../../../src/identity/dependencies.ts')
  close = async () => {
    await identity().db.close()
    await database.drop()
  }
})
afterAll(() => close())

const changing = Object.keys(API_ROUTES).filter((name) => !name.startsWith('GET '))

let address = 0
const send = async (name: string, headers: Record<string, string>, body = '{}') => {
  address += 1
  const [method = '', path = ''] = name.split(' ')
  const request = new Request(`${SITE}${path.replace('{id}', '0192aaaa-0000-7000-8000-000000000001')}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-bakter-address': `10.9.${address}.1`, ...headers },
    body,
  })
  const params = Promise.resolve({ id: '0192aaaa-0000-7000-8000-000000000001' })
  const response = await handlers.get(name)?.(request, { params })
  if (!response) throw new Error(`no route ${name}`)
  return { status: response.status, code: ErrorBody.safeParse(await response.json()).data?.error.code }
}

const COOKIE = { cookie: '__Host-bakter_access=x; __Host-bakter_refresh=y' }

describe('a page of another site (case 152)', () => {
  test('finds no route that changes anything by GET', () => {
    expect([...handlers.keys()].sort()).toEqual(Object.keys(API_ROUTES).sort())
  })

  test.each(changing)('cannot make a browser send %s', async (name) => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
      { 'sec-fetch-site': 'same-site', origin: 'https://other.bakter.test' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: `${SITE}.evil.test` },
      { origin: SITE.replace('https', 'http') },
      {},
    ])
      expect([headers, await send(name, { ...COOKIE, ...headers })]).toEqual([headers, { status: 403, code: 'CSRF' }])
  })

  test.each(changing)('cannot send %s as a form, which needs no permission of the site', async (name) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      // The session is asked for before the body is read: without one the answer is 401, and never that of the call.
      expect([401, 403]).toContain((await send(name, { 'content-type': type, origin: SITE })).status)
  })

  test.each(changing)('does not keep the own page from sending %s', async (name) => {
    expect((await send(name, { ...COOKIE, origin: SITE })).code).not.toBe('CSRF')
    expect((await send(name, { authorization: 'Bearer x' })).code).not.toBe('CSRF')
  })
})
