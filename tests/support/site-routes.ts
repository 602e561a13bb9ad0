import type { ApiRouteName } from '#contracts/routes/routes.ts'
import { createWholeDatabase } from './whole-database.ts'

/** `file` is a body as it is, `search` what stands behind the path, `ids` other things that the path names. */
type Sent = {
  body?: unknown
  file?: Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  id?: string
  ids?: Readonly<Record<string, string>>
  search?: string
}

export const SITE = 'https://bakter.test'
const SOME_ID = '0192aaaa-0000-7000-8000-000000000001'

/**
 * The site's API on a database of its own and without a control plane. The environment is set before the API is loaded,
 * because the site reads it once: one call in a test file. The headers in which the server tells an address and a request id
 * stand for what it tells the API.
 */
export const openSite = async (controlPlaneUrl = 'http://127.0.0.1:1') => {
  const database = await createWholeDatabase()
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    SITE_URL: SITE,
    INTERNAL_SECRET: 'internal secret of the tests',
    PAYLOAD_SECRET: 'payload secret of the tests',
    // By default nothing listens there: calls are answered with 503.
    CONTROL_PLANE_URL: controlPlaneUrl,
  })
  const { createApi } = await import('../../src/api/app/app.ts')
  const api = createApi()
  let address = 0
  const send = (request: Request): Promise<Response> => {
    address += 1
    const from = `10.${Math.floor(address / 250)}.${address % 250}.1`
    return api(request, {
      requestId: request.headers.get('x-request-id') ?? 'request-of-the-test',
      address: request.headers.get('x-bakter-address') ?? from,
    })
  }
  const { identity } = await import('../../src/identity/dependencies.ts')
  const ask = async (name: ApiRouteName, sent: Sent = {}) => {
    const { body, file, headers = {}, id = SOME_ID, ids = {}, search = '' } = sent
    const [method = '', path = ''] = name.split(' ')
    const at = path
      .replace('{id}', encodeURIComponent(id))
      .replaceAll(/\{(\w+)\}/g, (_, named: string) => ids[named] ?? SOME_ID)
    const request = new Request(`${SITE}${at}${search}`, {
      method,
      headers: { 'content-type': 'application/json', origin: SITE, ...headers },
      ...(method === 'GET' ? {} : { body: file ?? JSON.stringify(body ?? {}) }),
    })
    const response = await send(request)
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
  return { ask, send, close, identity: identity() }
}

export type OpenSite = Awaited<ReturnType<typeof openSite>>

/** The Cookie header of a browser that received these. */
export const cookieHeader = (cookies: readonly string[]): string =>
  cookies
    .filter((cookie) => !cookie.includes('Max-Age=0'))
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
