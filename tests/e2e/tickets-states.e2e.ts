import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Browser, Page } from '@playwright/test'
import { SeenContext } from '../../src/contracts/http/desk/server-context.ts'
import { TicketCategories, TicketView } from '../../src/contracts/http/ticket.ts'
import { violations } from '../support/axe.ts'
import { environmentOf, programOf } from '../support/demo-processes.ts'
import type { DemoFile } from '../support/demo.ts'
import { arrive, rentByApi, signInByApi } from '../support/journey.ts'
import { recordShifts, settled, shiftsOf, slowAnswers } from '../support/layout-shifts.ts'
import { openTicket } from '../support/open-ticket.ts'
import { otherPage, pageOf } from '../support/other-page.ts'
import { sliceOf } from '../support/slice.ts'
import { staffScreens } from '../support/staff-screens.ts'
import { expect, test } from './test.ts'

// Pages of tickets in each of their states: axe finds nothing, and nothing is wider than the page.

/** As for every other screen. */
const MOST_SHIFT = 0.02
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

/** Our own pages for staff. */
const OF_STAFF = '.bakter-tickets'
const OWN_PAGES = /^\/admin\/(?:tickets?|categories)\b/
/** A list or a form of the CMS: its rows or its fields are there, and it has a title by then. */
const OF_CMS = '.collection-list tbody tr, .collection-edit input'

const call = async (page: Page, path: string, data: object = {}): Promise<unknown> => {
  const { origin } = new URL((await page.request.get('/en')).url())
  const answer = await page.request.post(path, { headers: { origin, 'idempotency-key': randomUUID() }, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.text()
}

/** Changes rows of the control plane that no call changes: their age, and what a mail brought. */
const change = async (dataDir: string, text: string, values: readonly unknown[]): Promise<void> => {
  const { DATABASE_URL } = environmentOf(programOf(dataDir, 'control-plane'))
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  try {
    expect((await client.query(text, [...values])).rowCount).toBeGreaterThan(0)
  } finally {
    await client.end()
  }
}

type State = {
  readonly name: string
  readonly path: string
  /** Is there once the page is in this state. */
  readonly sign: string
  /** Brings the open page into its state. */
  readonly act?: (page: Page) => Promise<unknown>
}

const checkAt = async (page: Page, what: string, { width }: { width: number }): Promise<void> => {
  expect.soft(await violations(page), what).toEqual([])
  const widest = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(widest, `${what} scrolls sideways`).toBeLessThanOrEqual(width)
}

/** Opens a page in its state at each size, in a language of this run. */
const look = async (page: Page, { name, path, sign, act }: State): Promise<void> => {
  const { origin } = new URL((await page.request.get('/en')).url())
  for (const language of sliceOf(['hu', 'en'], 2)) {
    await page.context().addCookies([{ name: 'i18n', value: language, url: origin }])
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(page.locator('.skel')).toHaveCount(0)
      await act?.(page)
      await expect(page.locator(sign).filter({ visible: true }).first()).toBeVisible()
      await checkAt(page, `${name} at ${size.width}, ${language}`, size)
    }
  }
}

const one = (id: string): string => `/dashboard/ticket/${id}`

/** A ticket about this server, with everything that goes along. */
const openAbout = async (page: Page, serverId: string): Promise<string> => {
  const seen = SeenContext.parse(await (await page.request.get(`/api/ticket-context/${serverId}`)).json())
  expect(seen.context.log?.lines.length).toBeGreaterThan(0)
  const categories = TicketCategories.parse(await (await page.request.get('/api/ticket/categories')).json())
  const answer = await call(page, '/api/ticket', {
    title: 'It crashed three times tonight',
    message: 'It stops when **70** players are on.',
    categoryId: categories[0]?.id,
    server: { id: serverId, mark: seen.mark },
  })
  return TicketView.parse(JSON.parse(String(answer))).ticket.id
}

/** A server that starts has other facts a moment later, and no lines before it has started. */
const openedAbout = async (page: Page, serverId: string): Promise<string> => {
  let id = ''
  await expect(async () => {
    id = await openAbout(page, serverId)
  }).toPass({ timeout: 120_000, intervals: [500] })
  return id
}

const friendOf = async (browser: Browser, demo: DemoFile, facts: { dataDir: string; ticketId: string }) => {
  const friend = await otherPage(browser, demo.url)
  const { username } = await arrive(friend)
  await change(
    facts.dataDir,
    'insert into control.ticket_people select $1, id, now() from cms_api.people where username = $2',
    [facts.ticketId, username],
  )
  return friend
}

test('a ticket about a server: its facts beside it, what was sent, the preview, what an added person sees, and nothing moves', async ({
  page,
  browser,
  demo,
  dataDir,
}) => {
  test.setTimeout(600_000)
  const { serverId } = await rentByApi(page, 'Night watch')
  const id = await openedAbout(page, serverId)
  await look(page, { name: 'facts of a server', path: one(id), sign: '.tk-now .lamp' })
  const unfold = async () => {
    const fold = page.locator('.tk-fold')
    if (await fold.isVisible()) await fold.click()
  }
  await look(page, { name: 'unfolded facts', path: one(id), sign: '.tk-aside__parts .tk-kv', act: unfold })
  const readAgain = async () => {
    await unfold()
    await page.locator('.tk-aside .panel-h button').click()
  }
  await look(page, { name: 'what was sent', path: one(id), sign: 'dialog.tk-sent .tk-about__facts', act: readAgain })
  const preview = async () => {
    await page.locator('.tk-reply textarea').fill('A **bold** word, a [link](https://example.com) and:\n\n- a list')
    await page.locator('.tk-tabs button').last().click()
  }
  await look(page, { name: 'preview', path: one(id), sign: '.tk-preview strong', act: preview })
  const friend = await friendOf(browser, demo, { dataDir, ticketId: id })
  await look(page, { name: 'people', path: one(id), sign: '.tk-readers', act: unfold })
  const unfoldTheirs = async (theirs: Page) => {
    const fold = theirs.locator('.tk-fold')
    if (await fold.isVisible()) await fold.click()
  }
  await look(friend, { name: 'an added person', path: one(id), sign: '.tk-readers', act: unfoldTheirs })
  await expect(friend.locator('.tk-now')).toHaveCount(0)
  await friend.context().close()

  await recordShifts(page)
  const awaited = await slowAnswers(page)
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await page.goto(one(id))
    await settled(page, awaited)
    await expect(page.locator('.tk-now .lamp').filter({ visible: true })).toHaveCount(1)
    const { sum, moved } = await shiftsOf(page)
    expect.soft(sum, `at ${size.width}\n${moved.join('\n')}`).toBeLessThanOrEqual(MOST_SHIFT)
  }
})

test('a ticket that is closed, closed long ago, switched off, mailed, merged, or has unseen messages', async ({
  page,
  browser,
  demo,
  dataDir,
}) => {
  test.setTimeout(600_000)
  await arrive(page)
  const id = await openTicket(page)
  await page.route('**/api/switches', async (route) => {
    const switches = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...switches, tickets: false } })
  })
  await look(page, { name: 'switched off', path: one(id), sign: '.tk-foot .notice' })
  await look(page, { name: 'the list while switched off', path: '/dashboard/tickets', sign: '.notice' })
  await look(page, { name: 'a new ticket while switched off', path: '/dashboard/ticket', sign: '.notice' })
  await page.unroute('**/api/switches')

  await change(dataDir, `update control.ticket_messages set quoted = $2 where ticket_id = $1`, [
    id,
    `On Friday Anna wrote:\n> ${'a long line '.repeat(20)}\n-- \n${'W'.repeat(90)}`,
  ])
  const openQuoted = (on: Page) => on.locator('.tk-quoted summary').first().click()
  await look(page, { name: 'a quoted mail', path: one(id), sign: '.tk-quoted p', act: openQuoted })

  const support = await pageOf(browser, demo.url, demo.support)
  for (const line of Array.from({ length: 12 }, (_, at) => `Line ${at}\n\nand one below it.`))
    await call(support, `/api/ticket/${id}/messages`, { message: line })
  const unseen = async (on: Page) => {
    await on.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
    await call(support, `/api/ticket/${id}/messages`, { message: 'News.' })
  }
  await look(page, { name: 'unseen messages', path: one(id), sign: '.tk-fresh .btn', act: unseen })

  const second = await openTicket(page, { title: 'The same again', message: 'It stops again.' })
  await call(support, `/api/ticket/${second}/merge`, { intoId: id })
  await look(page, { name: 'a merged ticket', path: one(second), sign: '.tk-foot .notice' })
  await look(page, { name: 'the ticket that took it', path: one(id), sign: '.tk-origin' })
  await look(page, { name: 'the list with both', path: '/dashboard/tickets', sign: '.tk-row' })
  await support.context().close()

  await call(page, `/api/ticket/${id}/close`)
  await call(page, `/api/ticket/${id}/rating`, { rating: 'bad' })
  await look(page, { name: 'closed and rated', path: one(id), sign: '.tk-rating [aria-pressed=true]' })
  await change(dataDir, `update control.tickets set closed_at = closed_at - interval '40 days' where id = $1`, [id])
  await look(page, { name: 'closed long ago', path: one(id), sign: '.tk-foot .notice a' })
})

test('the facts about a server that is away or suspended go along, also with lines that are left out', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const { serverId } = await rentByApi(page, 'Night watch')
  const seen = SeenContext.parse(await (await page.request.get(`/api/ticket-context/${serverId}`)).json())
  const lines = ['[12:00:00] Loading', `[12:00:01] from [ip] ${'W'.repeat(120)}`, '[12:00:02] key [token]']
  const answer = async (context: Partial<SeenContext['context']>) => {
    await page.unroute('**/api/ticket-context/**')
    await page.route('**/api/ticket-context/**', (route) =>
      route.fulfill({ json: { ...seen, context: { ...seen.context, ...context } } }),
    )
  }
  const choose = (on: Page) => on.locator('.tk-about select').selectOption(serverId)
  const path = '/dashboard/ticket'
  await answer({ missing: 'away', log: null })
  await look(page, { name: 'a machine that is away', path, sign: '.tk-about__content .notice', act: choose })
  await answer({ missing: 'suspended', log: null, status: 'suspended' })
  await look(page, { name: 'a suspended server', path, sign: '.tk-about__content > p', act: choose })
  await answer({ missing: null, log: { at: new Date().toISOString(), lines, source: 'console' } })
  const leaveOut = async (on: Page) => {
    await choose(on)
    await on.locator('.tk-log [role=option]').nth(1).click()
  }
  await look(page, { name: 'lines left out', path, sign: '.tk-log [aria-selected=false]', act: leaveOut })
})

test("staff's pages of tickets fit a phone and break no rule in each language", async ({ page, browser, demo }) => {
  test.setTimeout(600_000)
  const customer = await otherPage(browser, demo.url)
  await arrive(customer)
  const id = await openTicket(customer, {
    title: 'W'.repeat(60),
    message: `A long word: ${'W'.repeat(90)}\n\n\`\`\`\n${'log line '.repeat(30)}\n\`\`\``,
  })
  await customer.context().close()
  await page.goto('/en')
  await signInByApi(page, demo.admin)
  const paths = (await staffScreens(page, id)).filter((path) => !path.startsWith('/admin/money/'))
  expect(paths.filter((path) => OWN_PAGES.test(path))).toHaveLength(4)
  expect(paths.filter((path) => path.startsWith('/admin/collections/'))).toHaveLength(3)
  for (const language of sliceOf(['hu', 'en', 'de'], 3)) {
    await page.context().addCookies(['i18n', 'payload-lng'].map((name) => ({ name, value: language, url: demo.url })))
    for (const path of paths)
      for (const size of SIZES) {
        await page.setViewportSize(size)
        await page.goto(path)
        const isOurs = OWN_PAGES.test(path)
        await expect(page.locator(isOurs ? `${OF_STAFF} h1` : OF_CMS).first()).toBeVisible()
        await page.waitForLoadState('networkidle')
        await expect(page.locator('.loading-overlay, .shimmer-effect').filter({ visible: true })).toHaveCount(0)
        const what = `${path} at ${size.width}, ${language}`
        expect.soft(await violations(page, isOurs ? OF_STAFF : 'body'), what).toEqual([])
        const widest = await page.evaluate(() => document.documentElement.scrollWidth)
        expect.soft(widest, `${what} scrolls sideways`).toBeLessThanOrEqual(size.width)
      }
  }
})

test('on a phone title and buttons share a row, and so do the buttons of a new ticket, in each language', async ({
  page,
  demo,
}) => {
  await arrive(page)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const language of ['hu', 'en', 'de']) {
    await page.context().addCookies([{ name: 'i18n', value: language, url: demo.url }])
    for (const [path, row] of [
      ['/dashboard/tickets', page.locator('.page-h > h1, .page-h .btn')],
      ['/dashboard/ticket', page.locator('.tk-box__bar .btn')],
    ] as const) {
      await page.goto(path)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(page.locator('.skel')).toHaveCount(0)
      await expect(row.last()).toBeVisible()
      const boxes = await row.evaluateAll((parts) =>
        parts.map((part) => {
          const { top, bottom } = part.getBoundingClientRect()
          return { top, bottom }
        }),
      )
      expect(boxes.length).toBeGreaterThan(1)
      const highest = Math.min(...boxes.map(({ bottom }) => bottom))
      for (const { top } of boxes) expect.soft(top, `${path}, ${language}`).toBeLessThan(highest)
    }
  }
})
