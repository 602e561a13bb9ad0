import * as z from 'zod'
import { guidePath, GUIDE_TOPICS } from '../../src/contracts/guides/topics.ts'
import { richText } from '../../src/cms/seed/content/rich-text.ts'
import { violations } from '../support/axe.ts'
import { hydrated } from '../support/hydrated.ts'
import { arrive, signInByApi } from '../support/journey.ts'
import { recordShifts, shiftsOf } from '../support/layout-shifts.ts'
import { openSearch } from '../support/open-search.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

/** The balance below the menu gets its height of letters a pixel late. */
const MOST_SHIFT = 0.001
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const
const TITLES = { en: 'Guides', hu: 'Útmutatók', de: 'Anleitungen' } as const
const LANGUAGES = ['en', 'hu', 'de'] as const

test('the guides of each topic stand on their page in three languages, without a shift or a finding of axe', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await arrive(page)
  await recordShifts(page)
  for (const language of LANGUAGES) {
    for (const size of SIZES) {
      await page.setViewportSize(size)
      for (const topic of GUIDE_TOPICS) {
        const place = `${topic}, ${language}, ${size.width}`
        await page.goto(`/${language}${guidePath(topic)}`)
        await hydrated(page, '.guide-topics a')
        await expect(page.getByRole('heading', { level: 1 }), place).toHaveText(TITLES[language])
        await expect(page.locator('.guide-topics a[aria-current="page"]'), place).toHaveCount(1)
        const guides = page.locator('article.guide')
        expect(await guides.count(), place).toBeGreaterThanOrEqual(4)
        // The list of contents leads to each of them.
        const anchors = await page
          .locator('.guide-contents a')
          .evaluateAll((links) =>
            links.map((link) => document.querySelector(link.getAttribute('href') ?? 'none')?.className),
          )
        expect(anchors, place).toEqual(Array.from({ length: await guides.count() }, () => 'guide'))
        expect(await page.evaluate(() => document.documentElement.scrollWidth), place).toBeLessThanOrEqual(size.width)
        expect.soft(await violations(page), place).toEqual([])
        const { sum, moved } = await shiftsOf(page)
        expect.soft(sum, `${place}\n${moved.join('\n')}`).toBeLessThanOrEqual(MOST_SHIFT)
      }
    }
  }
  await page.goto('/en/dashboard/guides/weather')
  await expect(page.getByRole('link', { name: 'Summary' }).last()).toBeVisible()
  await expect(page.locator('article.guide')).toHaveCount(0)
})

test('every link of a guide into the product leads to a page that exists', async ({ page }) => {
  test.setTimeout(240_000)
  await arrive(page)
  const links = new Set<string>()
  for (const topic of GUIDE_TOPICS) {
    await page.goto(`/en${guidePath(topic)}`)
    for (const href of await page
      .locator('.guide__text a')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href'))))
      links.add(href ?? 'none')
  }
  expect(links.size).toBeGreaterThan(15)
  for (const link of links) {
    const [path = '', anchor] = link.split('#')
    const answer = await page.goto(path, { waitUntil: 'domcontentloaded' })
    expect(answer?.status(), link).toBe(200)
    if (anchor !== undefined) await expect(page.locator(`[id="${anchor}"]`), link).toBeAttached()
  }
})

test('search finds a guide by its title, and leads to its section', async ({ page }) => {
  await arrive(page)
  await page.goto('/en/dashboard/summary')
  await openSearch(page)
  await page.locator('.pal').getByRole('combobox').fill('storage is full')
  await expect(page.getByRole('option')).toHaveText(/When the storage is full.*Guides · Servers/)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/guides/servers#storage-full')
  await expect(page.getByRole('heading', { name: 'When the storage is full' })).toBeInViewport()
})

for (const size of SIZES) {
  test(`guides that fit a ticket appear while it is typed by keyboard, move nothing and keep the draft, ${size.width}`, async ({
    page,
    context,
  }) => {
    test.setTimeout(120_000)
    await page.setViewportSize(size)
    await arrive(page)
    await recordShifts(page)
    await page.goto('/en/dashboard/ticket')
    await hydrated(page)
    const title = page.getByLabel('Title')
    const fits = page.getByRole('region', { name: 'This may already help' })
    await title.focus()
    const asking = JSON.stringify({ text: 'hello there' })
    const asked = page.waitForResponse((answer) => {
      return new URL(answer.url()).pathname === '/api/guides/matching' && answer.request().postData() === asking
    })
    await page.keyboard.type('hello there')
    expect((await asked).status()).toBe(200)
    await expect(title).toHaveValue('hello there')
    await expect(fits).toHaveCount(0)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('my server crashed')
    await expect(fits.getByRole('link').first()).toContainText("A server crashes or doesn't start")
    await expect(page.getByRole('status').filter({ hasText: 'what you typed' })).toHaveCount(1)
    expect.soft(await violations(page)).toEqual([])
    // The shown guides took a place that was theirs.
    const box = await page.getByRole('textbox', { name: 'Message' }).boundingBox()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('xyzzy plugh')
    await expect(fits).toHaveCount(0)
    expect(await page.getByRole('textbox', { name: 'Message' }).boundingBox()).toEqual(box)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('my server crashed')
    const link = fits.getByRole('link').first()
    await expect(link).toBeVisible()
    await tabTo(fits, 'link', /^A server crashes/)
    const [guide] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')])
    await guide.waitForURL('**/dashboard/guides/servers#crashed-server')
    await guide.close()
    await expect(title).toHaveValue('my server crashed')
    const { sum, moved } = await shiftsOf(page)
    expect.soft(sum, moved.join('\n')).toBeLessThanOrEqual(MOST_SHIFT)
  })
}

const Created = z.object({ doc: z.object({ id: z.string() }) })

test('a script that is stored in a guide stays text, and an unpublished guide stays unseen', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(120_000)
  const staff = await (await browser.newContext({ baseURL: demo.url })).newPage()
  await staff.goto('/en')
  await signInByApi(staff, demo.admin)
  const mark = `Gargoyle${Date.now()}`
  const script = '<img src=x onerror=window.canary=1><script>window.canary=1</script>'
  const headers = { origin: demo.url }
  const body = richText([{ text: `${script} [press](javascript:window.canary=1) [see](/dashboard/balance/summary)` }])
  const data = { title: `${mark} ${script}`.slice(0, 118), slug: mark.toLowerCase(), topic: 'account', summary: script }
  const answer = await staff.request.post('/api/cms/guides?locale=hu', {
    headers,
    data: { ...data, body, words: script, position: 900, published: true },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  const { id } = Created.parse(await answer.json()).doc
  try {
    await arrive(page)
    const shown = page.locator(`[id="${data.slug}"]`)
    await expect(async () => {
      await page.goto('/hu/dashboard/guides/account')
      await expect(shown).toBeVisible({ timeout: 2_000 })
    }).toPass()
    await expect(shown).toContainText(script)
    await shown.getByText('press').click()
    await expect(shown.getByRole('link')).toHaveText(['see'])
    expect(await page.evaluate('window.canary')).toBeUndefined()
    await staff.request.patch(`/api/cms/guides/${id}?locale=hu`, { headers, data: { published: false } })
    await expect(async () => {
      await page.goto('/hu/dashboard/guides/account')
      await expect(shown).toHaveCount(0, { timeout: 2_000 })
    }).toPass()
    expect(await (await page.request.post('/api/guides/matching', { headers, data: { text: mark } })).json()).toEqual(
      [],
    )
  } finally {
    await staff.request.delete(`/api/cms/guides/${id}`, { headers })
    await staff.context().close()
  }
})
