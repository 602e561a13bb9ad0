import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request as requests, type APIRequestContext } from '@playwright/test'
import * as z from 'zod'
import type { Account } from '../support/demo.ts'
import { bombPng } from '../support/hostile-pictures.ts'
import { signInByApi } from '../support/journey.ts'
import { callServerFunction } from '../support/server-functions.ts'
import { expect, test } from './test.ts'

/** Names that Payload answers, those of every object, and none at all. */
const NAMES = [
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__proto__',
  'form-state',
  'render-document',
  'render-list',
  'render-field',
  'table-state',
  'slugify',
  'get-default-layout',
  'render-widget',
  'copy-data-from-locale',
  'schedule-publish',
  'get-folder-results-component-and-data',
  'unknown',
  '',
  7,
  null,
]
const ARGS = { collectionSlug: 'users', widgetSlug: 'collections', valueToSlugify: 'a b', path: 'username' }

const signedIn = async (url: string, account: Account): Promise<APIRequestContext> => {
  const context = await requests.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } })
  const { username, password } = account
  const answer = await context.post('/api/auth/login', { data: { username, password } })
  expect(answer.status(), await answer.text()).toBe(200)
  return context
}

test('no server function of the admin answers a customer or a stranger: the attack S4', async ({ demo }) => {
  const customer = await signedIn(demo.url, demo.customer)
  const stranger = await requests.newContext()
  for (const name of NAMES) {
    const call = { name, args: ARGS }
    const answers = [
      await callServerFunction(customer, demo.url, call),
      await callServerFunction(stranger, demo.url, call),
      await callServerFunction(stranger, demo.url, { ...call, cookie: 'bakter_access=invented' }),
    ]
    const refusal = { status: 403, text: 'Only staff may do this.' }
    expect(answers, `answers to ${String(name)}`).toEqual([refusal, refusal, refusal])
  }
  await Promise.all([customer.dispose(), stranger.dispose()])
})

test('staff get only the functions that the pages call, never a name of every object: the attack S4', async ({
  demo,
}) => {
  const admin = await signedIn(demo.url, demo.admin)
  for (const name of ['constructor', 'toString', '__proto__', 'valueOf', 'slugify', 'schedule-publish', 'unknown', 7]) {
    const answer = await callServerFunction(admin, demo.url, { name, args: ARGS })
    expect([name, answer.status]).toEqual([name, 404])
    expect(answer.text).not.toContain('bakter_access')
  }
  const form = { collectionSlug: 'news', operation: 'create', schemaPath: 'news', data: {}, docPermissions: {} }
  const answer = await callServerFunction(admin, demo.url, { name: 'form-state', args: form })
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"title"')])
  await admin.dispose()
})

const Found = z.object({ docs: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() })) })

test("support's form locks nothing for administrators: the attack S9", async ({ demo }) => {
  const [admin, support] = [await signedIn(demo.url, demo.admin), await signedIn(demo.url, demo.support)]
  const { docs: roles } = Found.parse(await (await admin.get('/api/cms/roles?depth=0')).json())
  const role = roles.find(({ slug }) => slug === 'support')
  const base = { operation: 'update', returnLockStatus: true, data: {}, docPermissions: {}, skipValidation: true }
  for (const args of [
    { ...base, collectionSlug: 'roles', schemaPath: 'roles', id: role?.id },
    { ...base, globalSlug: 'settings', schemaPath: 'settings' },
    // Payload would store both, and look the access of one up.
    { ...base, collectionSlug: 'ticket-categories', schemaPath: 'ticket-categories', globalSlug: 'settings' },
  ]) {
    const answer = await callServerFunction(support, demo.url, { name: 'form-state', args })
    expect([answer.status, answer.text]).toEqual([200, expect.not.stringContaining('"isLocked":true')])
  }
  const saved = [
    await admin.patch(`/api/cms/roles/${role?.id}`, { data: { name: role?.name } }),
    await admin.post('/api/cms/globals/settings', { data: {} }),
  ]
  expect(await Promise.all(saved.map(async (answer) => [answer.status(), await answer.text()]))).toEqual([
    [200, expect.any(String)],
    [200, expect.any(String)],
  ])
  const own = { ...base, collectionSlug: 'roles', schemaPath: 'roles', id: role?.id }
  const locked = await callServerFunction(admin, demo.url, { name: 'form-state', args: own })
  expect(locked.text).toContain('"isLocked":true')
  await Promise.all([admin.dispose(), support.dispose()])
})

const Uploaded = z.object({ doc: z.object({ id: z.string(), filename: z.string() }) })

test('a bomb is refused at upload, and one that is stored already is neither decoded nor sent to visitors: the attack S8', async ({
  demo,
  dataDir,
}) => {
  const admin = await signedIn(demo.url, demo.admin)
  const upload = (buffer: Buffer) =>
    admin.post('/api/cms/media', {
      multipart: { file: { name: 'bomb.png', mimeType: 'image/png', buffer }, _payload: '{"alt":"A bomb"}' },
    })
  const refused = await upload(bombPng(20_000, 20_000))
  expect([refused.status(), await refused.text()]).toEqual([422, expect.stringContaining('too large')])

  const { doc } = Uploaded.parse(await (await upload(bombPng(64, 64))).json())
  const bomb = bombPng(8_000, 8_000)
  writeFileSync(join(dataDir, 'media', doc.filename), bomb)
  const visitor = await requests.newContext({ baseURL: demo.url })
  const file = `/api/cms/media/file/${doc.filename}`
  const sent = await visitor.get(file)
  expect([sent.status(), (await sent.body()).length]).toEqual([404, 0])
  const shown = await visitor.get(`/_next/image?url=${encodeURIComponent(file)}&w=640&q=75`)
  expect(shown.status()).toBeGreaterThanOrEqual(400)
  expect((await shown.body()).length).toBeLessThan(1_000)
  expect((await admin.delete(`/api/cms/media/${doc.id}`)).status()).toBe(200)
  await Promise.all([admin.dispose(), visitor.dispose()])
})

test('a script that stands in a page of the admin without its nonce does not run: S15', async ({
  page,
  demo,
  expectedErrors,
}) => {
  expectedErrors.push(/Content Security Policy/)
  await signInByApi(page, demo.admin)
  await page.route('**/admin', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('</body>', '<script>window.canary = 1</script></body>')
    await route.fulfill({ response: answer, body })
  })
  const refused = page.waitForEvent('console', (message) => /Content Security Policy/.test(message.text()))
  await page.goto('/admin')
  await refused
  await expect(page.locator('.dashboard').first()).toBeVisible()
  expect(await page.evaluate('window.canary')).toBeUndefined()
})
