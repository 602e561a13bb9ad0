import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { seal } from '../../../src/cms/fields/seal-secret.ts'
import { startDiscord } from '../../emulators/discord/discord.ts'
import type { DiscordEmulator } from '../../emulators/discord/discord.ts'
import { PASSWORD } from '../../support/people.ts'
import { cookieHeader, openSite, SITE } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'

const KEY = { id: 'test', key: new Uint8Array(32).fill(7) }
const APPLICATION = { clientId: '157730590492196864', clientSecret: 'canary-of-the-client-secret' }
let site: OpenSite
let discord: DiscordEmulator
let back: (request: Request) => Promise<Response>
beforeAll(async () => {
  discord = await startDiscord({ ...APPLICATION, redirectUris: [`${SITE}/login`] })
  Object.assign(process.env, {
    DISCORD_URL: discord.url,
    SECRETS_KEY: `test:${Buffer.from(KEY.key).toString('base64')}`,
  })
  site = await openSite()
  back = (await import('../../../src/app/login/route.ts')).GET
})
afterAll(async () => {
  await site.close()
  await discord.close()
})
beforeEach(() => site.identity.db.query('truncate identity.limit_buckets'))

const configure = async (isOn: boolean) => {
  const { db, ids } = site.identity
  await db.query('delete from public.settings')
  if (!isOn) return
  const sealed = await seal(APPLICATION.clientSecret, KEY)
  await db.query('insert into public.settings (id, discord_client_id, discord_client_secret) values ($1, $2, $3)', [
    ids.next(),
    APPLICATION.clientId,
    sealed,
  ])
}

let people = 0
const join = async () => {
  people += 1
  const names = { username: `linker${people}`, email: `linker${people}@example.test` }
  const body = { ...names, password: PASSWORD, passwordConfirm: PASSWORD, acceptTerms: true }
  await site.ask('POST /api/auth/register', { body })
  const signedIn = await site.ask('POST /api/auth/login', { body: { username: names.username, password: PASSWORD } })
  return { authorization: `Bearer ${TokenAnswer.parse(signedIn.json).access_token}` }
}

const visit = async (path: string, cookie = '') => {
  const response = await back(new Request(`${SITE}${path}`, { headers: { cookie, 'x-bakter-address': '10.9.0.1' } }))
  return { status: response.status, headers: response.headers, location: response.headers.get('location') }
}

const begin = async (headers: Record<string, string>, next: string) => {
  const answer = await site.ask('POST /api/user/discord', { headers, body: { next } })
  const returned = discord.decide(String(answer.json['url']), 'authorize')
  if (typeof returned === 'string') throw new Error(returned)
  return {
    path: `${returned.pathname}${returned.search}`,
    cookie: cookieHeader(answer.cookies),
    cookies: answer.cookies,
  }
}

test('without parameters the address is the login page', async () => {
  expect(await visit('/login')).toMatchObject({ status: 303, location: '/auth/login' })
  expect((await visit('/login?next=//evil.test')).location).toBe('/auth/login')
})

test('without an application nothing is offered', async () => {
  await configure(false)
  const headers = await join()
  expect((await site.ask('GET /api/user/discord', { headers })).json).toEqual({ available: false, link: null })
  const begun = await site.ask('POST /api/user/discord', { headers, body: {} })
  expect([begun.status, begun.json]).toMatchObject([422, { error: { code: 'DISCORD_UNAVAILABLE' } }])
})

test('a link begins, returns, is shown and is removed; the secret never leaves the server', async () => {
  await configure(true)
  const headers = await join()
  const { path, cookie, cookies } = await begin(headers, '/dashboard/settings')
  expect(cookies.join()).toMatch(
    /^__Host-bakter_discord=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  )
  const end = await visit(path, cookie)
  expect(end).toMatchObject({ status: 303, location: '/dashboard/settings?discord=linked' })
  expect(Object.fromEntries(end.headers)).toMatchObject({
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
  })
  expect(end.headers.getSetCookie().join()).toContain('Max-Age=0')
  const { json } = await site.ask('GET /api/user/discord', { headers })
  expect(json).toMatchObject({ available: true, link: { name: 'Nelly' } })
  expect(JSON.stringify(json)).not.toContain(APPLICATION.clientSecret)
  await site.ask('DELETE /api/user/discord', { headers })
  expect((await site.ask('GET /api/user/discord', { headers })).json).toEqual({ available: true, link: null })
})

test.each([
  ['/dashboard/servers?x=1', '/dashboard/servers?x=1'],
  ['https://evil.test/', '/dashboard/'],
  ['//evil.test', '/dashboard/'],
  ['/\\evil.test', '/dashboard/'],
  ['/api/user/me', '/dashboard/'],
])('a link begun for %s ends at %s', async (next, location) => {
  await configure(true)
  await site.identity.db.query('delete from identity.discord_links')
  const { path, cookie } = await begin(await join(), next)
  expect((await visit(path, cookie)).location).toBe(location)
})

test('every failure leads to the settings, which report it', async () => {
  await configure(true)
  const { path, cookie } = await begin(await join(), '/dashboard/settings')
  const failed = '/dashboard/settings?discord=failed'
  for (const [asked, cookies] of [
    [path, ''],
    ['/login?code=x', cookie],
    ['/login?state=short&code=x', cookie],
    [`/login?state=${'z'.repeat(43)}&code=x`, cookie],
    [`/login?state=${'z'.repeat(43)}&error=access_denied`, cookie],
  ] as const)
    expect([asked, (await visit(asked, cookies)).location]).toEqual([asked, failed])
})
