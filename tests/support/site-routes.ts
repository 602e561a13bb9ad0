import { readdirSync } from 'node:fs'
import type { ApiRouteName } from '#contracts/http/routes.ts'
import { createWholeDatabase } from './whole-database.ts'

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>
/** `file` is a body as it is, `search` what stands behind the path. */
type Sent = {
  body?: unknown
  file?: Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  id?: string
  search?: string
}

export const SITE = 'https://bakter.test'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const SOME_ID = '0192aaaa-0000-7000-8000-000000000001'

/**
 * Every route of the site's API as its handler, on a database of its own and without a control plane. The environment is set
 * before the routes are loaded, because the site reads it once: one call in a test file.
 */
export const openSite = async (controlPlaneUrl = 'http://127.0.0.1:1') => {
  const database = await createWholeDatabase()
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    SITE_URL: SITE,
    INTERNAL_SECRET: 'internal secret of the tests',
    PAYLOAD_SECRET: 'payload secret of the tests',
    // Where nothing else is said nobody listens there: what reaches it answers 503.
    CONTROL_PLANE_URL: controlPlaneUrl,
  })
  const handlers = new Map<string, Handler>()
  const files = readdirSync('src/app/api', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('route.ts') && !path.startsWith('internal') && !path.startsWith('openapi'))
    .sort()
  for (const file of files) {
    const loaded = (await import(`../../src/app/api/${file}`)) as Record<string, Handler>
    const path = `/api/${file.replace(/\/route\.ts$/, '').replaceAll(/\[(\w+)\]/g, '{$1}')}`
    for (const method of METHODS) {
      const handler = loaded[method]
      if (handler) handlers.set(`${method} ${path}`, handler)
    }
  }
  const { identity } = await import('../../src/identity/dependencies.ts')
  let address = 0
  const ask = async (name: ApiRouteName, { body, file, headers = {}, id = SOME_ID, search = '' }: Sent = {}) => {
    address += 1
    const [method = '', path = ''] = name.split(' ')
    const from = `10.${Math.floor(address / 250)}.${address % 250}.1`
    const request = new Request(`${SITE}${path.replace('{id}', encodeURIComponent(id))}${search}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-bakter-address': from, origin: SITE, ...headers },
      ...(method === 'GET' ? {} : { body: file ?? JSON.stringify(body ?? {}) }),
    })
    const response = await handlers.get(name)?.(request, { params: Promise.resolve({ id }) })
    if (!response) throw new Error(`no route ${name}`)
    const cookies = response.headers.getSetCookie()
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    const json = (isJson ? JSON.parse(bytes.toString('utf8')) : {}) as Record<string, unknown>
    return { status: response.status, json, cookies, bytes, headers: response.headers }
  }
  const close = async () => {
    await identity().db.close()
    await database.drop()
  }
  return { ask, close, identity: identity(), isServed: (name: string) => handlers.has(name) }
}

export type OpenSite = Awaited<ReturnType<typeof openSite>>

/** The Cookie header of a browser that was sent these. */
export const cookieHeader = (cookies: readonly string[]): string =>
  cookies
    .filter((cookie) => !cookie.includes('Max-Age=0'))
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
