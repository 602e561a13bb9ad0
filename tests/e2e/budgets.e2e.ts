import type { Page, Route } from '@playwright/test'

import { keepSession, openServer } from '../support/console-page.ts'
import { expect, test } from './test.ts'

test.afterEach(({ page }) => keepSession(page))

const KB = 1_000
const PUBLIC = ['/en', '/hu', '/en/blog', '/en/auth/login', '/en/auth/register']
const DASHBOARD = [
  '/dashboard/summary',
  '/dashboard/servers',
  '/dashboard/balance/summary',
  '/dashboard/balance/card',
  '/dashboard/services/game?rent=bot',
  '/dashboard/settings',
  '/dashboard/settings/security',
  '/dashboard/spin',
  '/dashboard/activities',
]

/** Pages that an idle browser fetches ahead for links are a load of their own: each is answered with nothing. */
const withholdAhead = async (route: Route): Promise<void> => {
  const headers = route.request().headers()
  const isAhead = headers['next-router-prefetch'] !== undefined || headers['next-router-segment-prefetch'] !== undefined
  await (isAhead ? route.fulfill({ status: 204 }) : route.fallback())
}

test.beforeEach(async ({ page }) => void (await page.route('**/*_rsc=*', withholdAhead)))

/** Compressed bytes of the JavaScript that Chromium fetches until the page stands and no script is on its way. */
async function firstLoad(page: Page, path: string): Promise<number> {
  // The page before may still be fetching: its scripts end with it, and are none of this page's.
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  const scripts = new Set<string>()
  const ended = new Set<string>()
  const failed = new Map<string, string>()
  let bytes = 0
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script' || response.mimeType.includes('javascript')) scripts.add(requestId)
  })
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  session.on('Network.loadingFinished', ({ requestId }) => ended.add(requestId))
  session.on('Network.loadingFailed', ({ requestId, errorText }) => {
    if (scripts.has(requestId)) failed.set(requestId, errorText)
  })
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('.skel')).toHaveCount(0)
  await expect.poll(() => [...scripts].filter((id) => !ended.has(id) && !failed.has(id))).toEqual([])
  expect([...failed.values()], path).toEqual([])
  await session.detach()
  expect(scripts.size, path).toBeGreaterThan(0)
  return bytes
}

test('public pages load at most 190 KB of JavaScript', async ({ page }) => {
  for (const path of PUBLIC) {
    const bytes = await firstLoad(page, path)
    test.info().annotations.push({ type: path, description: `${bytes} bytes` })
    expect.soft(bytes, path).toBeLessThanOrEqual(190 * KB)
  }
})

test('the dashboard loads at most 260 KB of JavaScript, the console 285 KB', async ({ page }) => {
  const serverId = await openServer(page)
  for (const path of DASHBOARD) {
    const bytes = await firstLoad(page, path)
    test.info().annotations.push({ type: path, description: `${bytes} bytes` })
    expect.soft(bytes, path).toBeLessThanOrEqual(260 * KB)
  }
  const bytes = await firstLoad(page, `/panel/${serverId}/console`)
  test.info().annotations.push({ type: 'console', description: `${bytes} bytes` })
  expect(bytes).toBeLessThanOrEqual(285 * KB)
})
