import type { APIRequestContext, Page } from '@playwright/test'
import * as z from 'zod'

import { Service } from '../../src/contracts/http/service.ts'
import { rentByApi, signInByApi } from '../support/journey.ts'
import { expect, test } from './test.ts'

/** A script that would run if any page took stored text for markup; short enough for a server's name. */
const CANARY = '<img src=x onerror=window.canary=1>'
const LONG = `${CANARY}"><svg onload=window.canary=1></script><script>window.canary=1</script>{{7*7}}javascript:window.canary=1`

const Docs = z.object({ docs: z.array(z.object({ id: z.string() })) })
const Created = z.object({ doc: z.object({ id: z.string() }) })

/** Looks at a page until it rests, and proves that nothing on it ran and nothing of it is an element. */
async function browse(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  expect(await page.evaluate('window.canary'), `a script ran on ${path}`).toBeUndefined()
  expect(await page.locator('img[src="x"], [onerror], svg[onload]').count(), `markup stands on ${path}`).toBe(0)
}

const changer = (request: APIRequestContext, origin: string) => ({
  post: async (path: string, data: object) => {
    const answer = await request.post(path, { headers: { origin }, data })
    expect(answer.ok(), `${path} answered ${answer.status()}: ${await answer.text()}`).toBe(true)
    return (await answer.json()) as unknown
  },
  patch: async (path: string, data: object) => {
    const answer = await request.patch(path, { headers: { origin }, data })
    expect(answer.ok(), `${path} answered ${answer.status()}: ${await answer.text()}`).toBe(true)
  },
  remove: (path: string) => request.delete(path, { headers: { origin } }),
})

test('stored text is text for customers and staff (case 148)', async ({ page, browser, demo }) => {
  page.on('dialog', () => {
    throw new Error('a dialog opened')
  })
  const staff = await browser.newContext({ baseURL: demo.url })
  const staffPage = await staff.newPage()
  const problems: string[] = []
  staffPage.on('dialog', () => problems.push('a dialog opened'))
  staffPage.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) problems.push(message.text())
  })
  await signInByApi(staffPage, demo.admin)
  const change = changer(staffPage.request, demo.url)
  const services = z.array(Service).parse(await (await staffPage.request.get('/api/services')).json())
  const bot = services.find(({ slug }) => slug === 'bot')
  const [smallest] = bot?.packages ?? []
  const news = Created.parse(
    await change.post('/api/cms/news?locale=en', { title: LONG, description: LONG, published: true }),
  )
  const { docs: computers } = Docs.parse(await (await staffPage.request.get('/api/cms/computers')).json())
  try {
    await change.patch(`/api/cms/services/${bot?.id}?locale=en`, { description: LONG })
    await change.patch(`/api/cms/packages/${smallest?.id}?locale=en`, { description: LONG })
    const { serverId } = await rentByApi(page, CANARY)
    for (const path of ['/en', '/hu', '/dashboard/summary', '/dashboard/services/game', '/dashboard/balance/summary']) {
      await browse(page, path)
    }
    await browse(page, '/dashboard/services/game?rent=bot')
    await browse(page, '/dashboard/servers')
    await expect(page.getByText(CANARY).first()).toBeVisible()
    await browse(page, `/panel/${serverId}/console`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(CANARY)
    for (const path of [
      '/admin',
      '/admin/collections/news',
      `/admin/collections/news/${news.doc.id}?locale=en`,
      '/admin/collections/services?locale=en',
      `/admin/collections/services/${bot?.id}?locale=en`,
      '/admin/collections/users',
      `/admin/collections/computers/${computers[0]?.id}`,
      `/panel/${serverId}/console`,
    ])
      await browse(staffPage, path)
  } finally {
    await change.remove(`/api/cms/news/${news.doc.id}`)
    await change.patch(`/api/cms/services/${bot?.id}?locale=en`, { description: bot?.description })
    await change.patch(`/api/cms/packages/${smallest?.id}?locale=en`, { description: smallest?.description })
    await staff.close()
  }
  expect(problems).toEqual([])
})
