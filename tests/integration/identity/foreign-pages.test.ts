import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import { ErrorBody } from '#contracts/http/errors.ts'
import { openSite, SITE } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'

let site: OpenSite
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const changing = Object.keys(API_ROUTES).filter((name) => !name.startsWith('GET '))

const send = async (name: string, headers: Record<string, string>, body = '{}') => {
  const [method = '', path = ''] = name.split(' ')
  const request = new Request(`${SITE}${path.replace('{id}', '0192aaaa-0000-7000-8000-000000000001')}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const response = await site.send(request)
  return { status: response.status, code: ErrorBody.safeParse(await response.json()).data?.error.code }
}

const COOKIE = { cookie: '__Host-bakter_access=x; __Host-bakter_refresh=y' }

describe('a page of another site (case 152)', () => {
  test.each(changing)('cannot make a browser send %s by GET', async (name) => {
    const path = name.split(' ')[1]?.replace('{id}', '0192aaaa-0000-7000-8000-000000000001')
    const read = `GET ${name.split(' ')[1]}` in API_ROUTES
    const { status } = await site.send(new Request(`${SITE}${path}`))
    expect([401, 405]).toContain(read ? 401 : status)
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

  test.each(changing)('our own page can still send %s', async (name) => {
    expect((await send(name, { ...COOKIE, origin: SITE })).code).not.toBe('CSRF')
    expect((await send(name, { authorization: 'Bearer x' })).code).not.toBe('CSRF')
  })
})
