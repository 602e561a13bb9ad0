import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'

const SERVICES = ['minecraft', 'arma', 'csgo', 'conan', 'mta', 'fivem', 'vps', 'bot'] as const

const pictures = (page: Page) => page.locator('#h-sign').locator('xpath=ancestor::section').locator('img.picture')

/** Scrolls until every lazy picture has loaded, and returns their natural widths. */
const widthsOf = async (page: Page): Promise<number[]> => {
  for (const picture of await pictures(page).all()) await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(() => pictures(page).evaluateAll((all) => all.every((one) => (one as HTMLImageElement).complete)))
    .toBe(true)
  return pictures(page).evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth))
}

const transferredBytes = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() =>
    Object.fromEntries(
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => name.includes('/pictures/'))
        .map(({ name, transferSize }) => [new URL(name).pathname, transferSize]),
    ),
  )

test('each service of the landing page has its banner, which the browser fetches once', async ({ page }) => {
  await page.goto('/en')
  const widths = await widthsOf(page)
  expect(widths).toHaveLength(SERVICES.length)
  expect(widths.every((width) => width > 0)).toBe(true)
  const sources = await pictures(page).evaluateAll((all) => all.map((one) => one.getAttribute('src')))
  expect(sources.toSorted()).toEqual(SERVICES.map((name) => `/pictures/banners/${name}.svg`).toSorted())
  expect(Object.keys(await transferredBytes(page))).toHaveLength(SERVICES.length)
  await page.goto('/hu')
  await widthsOf(page)
  expect(Object.values(await transferredBytes(page))).toEqual(SERVICES.map(() => 0))
})

test('a drawing is public, kept for a week, and has no scripts; another name is a 404', async ({ request }) => {
  const found = await request.get('/pictures/banners/minecraft.svg')
  expect(found.headers()['content-type']).toContain('image/svg+xml')
  expect(found.headers()['cache-control']).toContain('max-age=604800')
  expect(found.headers()['content-security-policy']).toContain("default-src 'none'")
  expect(await found.text()).toMatch(/^<svg [^>]*viewBox="0 0 1200 480"/)
  expect((await request.get('/pictures/banners/unknown.svg')).status()).toBe(404)
  expect((await request.get('/pictures/banners/..%2F..%2Fpackage.svg')).status()).toBe(404)
})
