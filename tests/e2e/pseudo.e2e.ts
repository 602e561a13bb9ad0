import type { Page } from '@playwright/test'
import * as z from 'zod'

import { Service } from '../../src/contracts/http/service.ts'
import { COUNTRY_CODES } from '../../src/domain/billing/country.ts'
import { placesOf } from '../../src/features/catalog/places.ts'
import { signInByApi } from '../support/journey.ts'
import { PSEUDO } from '../support/pseudo-catalog.ts'
import { startPseudoSite } from '../support/pseudo-site.ts'
import { expect, test } from './test.ts'

const PHONE = { width: 390, height: 844 }

const PAGES = [
  '/en/auth/register',
  '/en/auth/passwordreset',
  '/en/blog',
  '/en',
  '/en/no-such-page',
  '/en/dashboard/summary',
  '/en/dashboard/services',
  '/en/dashboard/services/game?rent=bot',
  '/en/dashboard/services/vps',
  '/en/dashboard/servers',
  '/en/dashboard/balance/summary',
  '/en/dashboard/premium',
  '/en/dashboard/spin',
  '/en/dashboard/settings',
  '/en/dashboard/settings/security',
  '/en/dashboard/settings/notifications',
  '/en/dashboard/settings/account',
  '/en/dashboard/activities',
  '/en/dashboard/tickets',
  '/en/dashboard/ticket',
  '/en/dashboard/guides/servers',
  '/en/dashboard/no-such-page',
] as const

/**
 * Texts that are no sentence of the product: its name, initials, names of languages and time zones, units, keys, dates,
 * addresses.
 */
const NO_SENTENCE = [
  /^(?:404 · )?Bakter$/,
  /^\p{Lu}{2}$/u,
  /^[A-Z][a-z]+\/[\w /-]+$/,
  /^(?:English|Magyar|Deutsch|EN|HU|DE)$/,
  /^(?:ALT \+ Q|Esc)$/,
  /^[-−+~]?[\d.,\s:/%]*(?:Ft|GB|MB|MiB|GiB|CPU|%)?[\d.,\s:/]*(?:Ft)?$/,
  /\d{1,2}\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*day/,
  /@|^https?:\/\//,
]

/** Names of countries are the browser's own, by their codes. */
const countriesOf = (page: Page): Promise<string[]> =>
  page.evaluate((codes) => {
    const names = new Intl.DisplayNames('en', { type: 'region' })
    return codes.map((code) => names.of(code) ?? code)
  }, COUNTRY_CODES)

/** Every text that a reader of the page sees or hears: text nodes, labels, placeholders, titles and descriptions. */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>([document.title])
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement
      if (
        parent !== null &&
        !parent.closest('script, style, noscript, template, code, .mono, [role=log], .messages, [lang]:not(html)')
      )
        found.add(node.textContent?.trim() ?? '')
    }
    for (const element of document.body.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
      for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
        if (!element.closest('[lang]:not(html)')) found.add(element.getAttribute(name)?.trim() ?? '')
    return [...found].filter((text) => /\p{L}/u.test(text))
  })

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : []

/** Texts that staff have written in the CMS and people in their accounts: they are in no catalog. */
const contentOf = async (page: Page): Promise<readonly string[]> => {
  const roots = ['globals/landing', 'globals/navigation', 'globals/documents', 'services', 'packages', 'news', 'guides']
  const read = async (path: string) => stringsIn(await (await page.request.get(path)).json())
  const cms = roots.map((root) => read(`/api/cms/${root}?locale=en&depth=0&limit=100`))
  const deliverable = read('/api/services')
  const services = z.array(Service).parse(await (await page.request.get('/api/services')).json())
  const where = placesOf(
    services.flatMap(({ places }) => places),
    { locale: 'en', pings: [] },
  )
  const wheel = read('/api/spin')
  const own = ['me', 'servers', 'sessions', 'activities'].map((name) => read(`/api/user/${name}`))
  const tickets = ['all', 'categories'].map((name) => read(`/api/ticket/${name}`))
  const found = await Promise.all([...cms, ...own, ...tickets, deliverable, wheel])
  return [...found.flat(), ...where.map(({ name }) => name)].filter((text) => text.length > 1)
}

test('with a catalog of longer, marked words every sentence is marked, and no page is wider than a phone', async ({
  page,
  demo,
  dataDir,
  context,
  expectedErrors,
}) => {
  test.setTimeout(300_000)
  // Gateway and node know the first site alone.
  expectedErrors.push(/WebSocket/, /\/ping' from origin|net::ERR_FAILED/)
  const site = await startPseudoSite(dataDir)
  try {
    await signInByApi(page, demo.customer)
    const content = await contentOf(page)
    await context.addCookies([{ name: 'i18n', value: 'en', url: site.url }])
    await page.setViewportSize(PHONE)
    const countries = new Set(await countriesOf(page))
    const isContent = (text: string) =>
      countries.has(text) || content.some((known) => known.includes(text) || text === known.toUpperCase())
    for (const path of PAGES) {
      await page.goto(`${site.url}${path}`)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await expect(page.locator('body')).toContainText(PSEUDO)
      await expect(page.locator('.skel')).toHaveCount(0)
      const foreign = (await textsOf(page)).filter(
        (text) => !PSEUDO.test(text) && !NO_SENTENCE.some((pattern) => pattern.test(text)) && !isContent(text),
      )
      expect.soft(foreign, `${path} says what is in no catalog`).toEqual([])
      const widest = await page.evaluate(() => document.documentElement.scrollWidth)
      expect.soft(widest, `${path} scrolls sideways`).toBeLessThanOrEqual(PHONE.width)
    }
  } finally {
    await page.goto('about:blank')
    await site.stop()
  }
})
