import type { APIRequestContext, Page } from '@playwright/test'
import * as z from 'zod'
import { postText } from '../../src/cms/seed/content/rich-text.ts'
import { violations } from '../support/axe.ts'
import { hydrated } from '../support/hydrated.ts'
import { signInByApi } from '../support/journey.ts'
import { recordShifts, shiftsOf } from '../support/layout-shifts.ts'
import { expect, test } from './test.ts'

/** The lines of a page get their height of letters a pixel late. */
const MOST_SHIFT = 0.001
const LANGUAGES = ['hu', 'en', 'de'] as const
const WIDTHS = [1440, 768, 390] as const
const SCRIPT = '<img src=x onerror=window.canary=1></script><script>window.canary=1</script>'
const Created = z.object({ doc: z.object({ id: z.string() }) })

const CHOOSING = {
  hu: 'mennyi-memoria-kell-minecrafthoz',
  en: 'how-much-memory-for-minecraft',
  de: 'wie-viel-speicher-fuer-minecraft',
} as const

/** Status and Location of an address, without following it. */
const look = async (request: APIRequestContext, path: string) => {
  const answer = await request.get(path, { maxRedirects: 0 })
  return { status: answer.status(), location: answer.headers()['location'] ?? null, text: await answer.text() }
}

const editor = async (page: Page, origin: string, admin: Parameters<typeof signInByApi>[1]) => {
  await page.goto('/en')
  await signInByApi(page, admin)
  const headers = { origin }
  const send = async (method: 'post' | 'patch', path: string, data: object): Promise<unknown> => {
    const answer = await page.request[method](`/api/cms/posts${path}`, { headers, data })
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true)
    return answer.json()
  }
  return { send, remove: (id: string) => page.request.delete(`/api/cms/posts/${id}`, { headers }) }
}

test('the blog and a post stand in three languages and widths, without a shift, a sideways scroll or a finding of axe', async ({
  page,
}) => {
  test.setTimeout(360_000)
  await recordShifts(page)
  for (const language of LANGUAGES) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      for (const path of ['/blog', `/blog/${CHOOSING[language]}`, '/changes']) {
        const place = `/${language}${path}, ${width}`
        await page.goto(`/${language}${path}`)
        await expect(page.getByRole('heading', { level: 1 }), place).toBeVisible()
        expect(await page.evaluate(() => document.documentElement.scrollWidth), place).toBeLessThanOrEqual(width)
        expect.soft(await violations(page), place).toEqual([])
        const { sum, moved } = await shiftsOf(page)
        expect.soft(sum, `${place}\n${moved.join('\n')}`).toBeLessThanOrEqual(MOST_SHIFT)
      }
    }
  }
})

test('a draft is seen by nobody; published, it is read in the languages that are written, and an old address leads to the new one', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(240_000)
  const staff = await (await browser.newContext({ baseURL: demo.url })).newPage()
  const { send, remove } = await editor(staff, demo.url, demo.admin)
  const mark = `wyvern${Date.now()}`
  const body = (word: string) =>
    postText([{ heading: `Part ${word}` }, { text: `Body ${word}` }, { code: 'a=1', title: 'x.cfg' }])
  const written = (word: string) => ({
    title: `${mark} ${word}`,
    slug: `${mark}-${word}`,
    lead: `Lead ${word}`,
    body: body(word),
  })
  const { id } = Created.parse(
    await send('post', '?locale=hu&draft=true', { ...written('hu'), kind: 'blog', author: 'Ada', _status: 'draft' }),
  ).doc
  const addresses = (word: string) => [`/${word}/blog/${mark}-${word}`, `/${word}/blog/${id}`]
  const lists = LANGUAGES.flatMap((one) => [`/${one}/blog`, `/${one}/blog/feed.xml`, `/${one}/blog/feed.json`])
  const seenIn = async () => {
    const seen = []
    for (const path of [...lists, '/sitemap.xml', '/api/cms/posts?limit=100&depth=0&draft=true'])
      if ((await look(page.request, path)).text.includes(mark)) seen.push(path)
    return seen
  }
  try {
    for (const path of LANGUAGES.flatMap(addresses)) expect((await look(page.request, path)).status, path).toBe(404)
    expect(await seenIn()).toEqual([])
    await send('patch', `/${id}?locale=de&draft=true`, { ...written('de'), _status: 'draft' })
    await send('patch', `/${id}?locale=hu`, { ...written('hu'), _status: 'published' })
    for (const language of ['hu', 'de'] as const) {
      await expect(async () => {
        await page.goto(`/${language}/blog/${mark}-${language}`)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${mark} ${language}`, { timeout: 2_000 })
      }).toPass()
      await expect(page.getByText(`Body ${language}`)).toBeVisible()
      expect(
        await page
          .locator('link[rel="alternate"][hreflang]')
          .evaluateAll((all) => all.map((one) => one.getAttribute('hreflang')).sort()),
      ).toEqual(['de', 'hu'])
      expect((await look(page.request, `/${language}/blog/${id}`)).location).toContain(
        `/${language}/blog/${mark}-${language}`,
      )
    }
    // English is not written: the post does not exist there, and the switch leads to the list.
    expect((await look(page.request, `/en/blog/${mark}-hu`)).status).toBe(404)
    await expect(page.locator('.lang a[data-locale="en"]')).toHaveAttribute('href', '/en/blog')
    await expect
      .poll(seenIn)
      .toEqual(expect.arrayContaining(['/hu/blog', '/hu/blog/feed.xml', '/de/blog/feed.json', '/sitemap.xml']))
    expect(await seenIn()).not.toContain('/en/blog')
    // The name of the German one leads a Hungarian reader to theirs.
    expect((await look(page.request, `/hu/blog/${mark}-de`)).location).toContain(`/hu/blog/${mark}-hu`)
    await send('patch', `/${id}?locale=hu`, { slug: `${mark}-renamed`, _status: 'published' })
    await expect.poll(async () => (await look(page.request, `/hu/blog/${mark}-hu`)).status).toBe(308)
    expect((await look(page.request, `/hu/blog/${mark}-hu`)).location).toContain(`/hu/blog/${mark}-renamed`)
    // A draft of a published post stays unseen, and leaves what is published alone.
    await send('patch', `/${id}?locale=hu&draft=true`, { title: `${mark} secret`, _status: 'draft' })
    expect((await look(page.request, `/hu/blog/${mark}-renamed`)).text).not.toContain('secret')
    expect((await look(page.request, `/api/cms/posts/${id}?draft=true&locale=hu`)).text).not.toContain('secret')
    await send('patch', `/${id}?locale=hu`, { _status: 'draft' })
    await expect.poll(async () => (await look(page.request, `/hu/blog/${mark}-renamed`)).status).toBe(404)
  } finally {
    await remove(id)
  }
})

test('scripts in the headings, texts, code, notes, tables and fields of a post stay text, and a link to one is none', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(120_000)
  const staff = await (await browser.newContext({ baseURL: demo.url })).newPage()
  const { send, remove } = await editor(staff, demo.url, demo.admin)
  const mark = `hydra${Date.now()}`
  const body = postText([
    { heading: SCRIPT },
    { text: `${SCRIPT} [press](javascript:window.canary=1) [see](/documents/terms)` },
    { code: SCRIPT, title: SCRIPT.slice(0, 78) },
    { note: SCRIPT, title: SCRIPT.slice(0, 78) },
    {
      table: [
        [SCRIPT, SCRIPT],
        [SCRIPT, SCRIPT],
      ],
    },
  ])
  const fields = {
    title: `${mark} ${SCRIPT}`,
    slug: mark,
    lead: SCRIPT,
    author: SCRIPT.slice(0, 78),
    meta: { title: SCRIPT.slice(0, 70), description: SCRIPT },
  }
  const { id } = Created.parse(
    await send('post', '?locale=hu', { ...fields, body, kind: 'blog', _status: 'published' }),
  ).doc
  try {
    for (const path of [`/hu/blog/${mark}`, '/hu/blog']) {
      await expect(async () => {
        await page.goto(path, { waitUntil: 'networkidle' })
        await expect(page.getByText(mark).first()).toBeVisible({ timeout: 2_000 })
      }).toPass()
      expect(await page.evaluate('window.canary'), path).toBeUndefined()
      expect(await page.locator('img[src="x"], [onerror]').count(), path).toBe(0)
    }
    await page.goto(`/hu/blog/${mark}`)
    await expect(page.locator('.post__body a', { hasText: 'press' })).toHaveCount(0)
    await expect(page.locator('.post__body a', { hasText: 'see' })).toHaveCount(1)
    const feed = await look(page.request, '/hu/blog/feed.xml')
    const parsed = await page.evaluate((xml) => {
      const document = new DOMParser().parseFromString(xml, 'application/xml')
      return {
        errors: document.querySelectorAll('parsererror').length,
        titles: [...document.querySelectorAll('item > title')].map((one) => one.textContent),
      }
    }, feed.text)
    expect(parsed.errors).toBe(0)
    expect(parsed.titles).toContain(fields.title)
  } finally {
    await remove(id)
  }
})

test('code of a post is copied by its button', async ({ page }) => {
  await page.addInitScript(() => {
    const writeText = (text: string) => {
      document.documentElement.dataset['copied'] = text
      return Promise.resolve()
    }
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  })
  await page.goto(`/en/blog/${CHOOSING.en}`)
  await hydrated(page, '.code__copy')
  await page.locator('.code__copy').first().click()
  await expect(page.locator('.code__copy').first()).toHaveText('Copied')
  await expect(page.locator('html')).toHaveAttribute('data-copied', 'view-distance=8\nsimulation-distance=6')
})
