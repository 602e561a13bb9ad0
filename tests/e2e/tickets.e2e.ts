import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'

import { TicketList } from '../../src/contracts/http/desk/ticket-entity.ts'
import { violations } from '../support/axe.ts'
import type { DemoFile } from '../support/demo.ts'
import { arrive, signInByApi } from '../support/journey.ts'
import { openTicket } from '../support/open-ticket.ts'
import { expect, test } from './test.ts'

const lines = (page: Page) => page.locator('.tk-line')
const state = (page: Page) => page.locator('.tk-facts .lamp')
const messageOf = (page: Page) => page.getByRole('textbox', { name: 'Reply' })

const call = async (page: Page, path: string, data: object): Promise<unknown> => {
  const { origin } = new URL(page.url())
  const answer = await page.request.post(path, { headers: { origin, 'idempotency-key': randomUUID() }, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.json()
}

/** A support person of the demo, in a browser of their own. */
const openSupport = async (browser: Browser, demo: DemoFile): Promise<Page> => {
  const page = await (await browser.newContext({ baseURL: demo.url })).newPage()
  await page.goto('/en')
  await signInByApi(page, demo.support)
  return page
}

test('a customer opens a ticket by keyboard, keeps the draft through a reload, reads the reply as it comes, closes, reopens and rates', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(240_000)
  await arrive(page)
  await page.goto('/en/dashboard/tickets')

  const id = await test.step('the menu leads to an empty list, and that to a form whose draft survives', async () => {
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Tickets' }).first()).toHaveAttribute(
      'aria-current',
      'page',
    )
    await page.getByText('You have no tickets yet.').locator('..').getByRole('link', { name: 'New ticket' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard/ticket')
    await page.getByLabel('Category').focus()
    // One letter: a list forgets the letters before when the next one comes late.
    await page.keyboard.press('g')
    await page.keyboard.press('Tab')
    await page.keyboard.type('The server stops at night')
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await page.keyboard.type('It **stops** every night.')
    await expect(page.getByText('Draft saved in this browser')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Title')).toHaveValue('The server stops at night')
    await expect(page.getByLabel('Category').locator('option:checked')).toHaveText('Game server')
    const message = page.getByRole('textbox', { name: 'Message' })
    await expect(message).toHaveValue('It **stops** every night.')
    await message.focus()
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/dashboard\/ticket\/[0-9a-f-]{36}$/)
    await expect(lines(page).locator('strong')).toHaveText('stops')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The server stops at night')
    return page.url().split('/').at(-1) ?? ''
  })

  const support = await openSupport(browser, demo)
  await test.step('the reply of support arrives by itself, and is read', async () => {
    await call(support, `/api/ticket/${id}/messages`, { message: 'We are looking at it.' })
    const reply = lines(page).filter({ hasText: 'We are looking at it.' })
    await expect(reply).toContainText('Support')
    await expect(state(page)).toHaveText('Waiting for reply')
    const isUnread = async () =>
      TicketList.safeParse(await (await page.request.get('/api/ticket/all')).json()).data?.map(({ unread }) => unread)
    await expect.poll(isUnread).toEqual([false])
    expect(await violations(page)).toEqual([])
    await messageOf(page).fill('Thank you!')
    await messageOf(page).press('Control+Enter')
    await expect(lines(page).filter({ hasText: 'Thank you!' })).toBeVisible()
    await expect(messageOf(page)).toHaveValue('')
    await page.reload()
    await expect(lines(page)).toHaveCount(3)
    await expect(messageOf(page)).toHaveValue('')
  })

  await test.step('closing asks, a rating is given and changed once, and reopening asks', async () => {
    await page.getByRole('button', { name: 'Close ticket' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Leave it open' }).click()
    await expect(messageOf(page)).toBeVisible()
    await page.getByRole('button', { name: 'Close ticket' }).click()
    await dialog.getByRole('button', { name: 'Close ticket' }).click()
    await expect(state(page)).toHaveText('Closed')
    await expect(messageOf(page)).toHaveCount(0)
    const rated = (name: string) => page.getByRole('group', { name: 'Did we help you?' }).getByRole('button', { name })
    await rated('No').click()
    await expect(rated('No')).toHaveAttribute('aria-pressed', 'true')
    await rated('Yes').click()
    await expect(rated('Yes')).toHaveAttribute('aria-pressed', 'true')
    await rated('No').click()
    await expect(page.getByText('You already changed your rating once.')).toBeVisible()
    await page.getByRole('button', { name: 'Reopen ticket' }).click()
    await dialog.getByRole('button', { name: 'Reopen ticket' }).click()
    await expect(state(page)).toHaveText('Open')
    await expect(messageOf(page)).toBeVisible()
  })

  await test.step('the list shows it, and its filter is kept in the address', async () => {
    await page.goto('/en/dashboard/tickets')
    await expect(page.locator('.tk-row')).toHaveCount(1)
    await page.getByRole('group', { name: 'Show tickets by status' }).getByRole('button', { name: 'Closed' }).click()
    await expect(page.getByText('You have no closed tickets.')).toBeVisible()
    await expect(page).toHaveURL(/status=closed/)
    await page.reload()
    await expect(page.getByText('You have no closed tickets.')).toBeVisible()
    const search = page.getByRole('searchbox', { name: 'Search: words or number' })
    await search.fill('lighthouse')
    await expect(page.getByText('No ticket contains these words.')).toBeVisible()
    await page.getByRole('button', { name: 'Show all tickets' }).click()
    await expect(page.locator('.tk-row')).toHaveCount(1)
    await expect(search).toHaveValue('')
    await search.fill(((await page.locator('.tk-row .mono').first().textContent()) ?? '').trim())
    await expect(page.locator('.tk-row')).toHaveCount(1)
    await expect(page).toHaveURL(/text=/)
  })
  await support.context().close()
})

const ATTACKS = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg/onload=window.hacked=1>',
  '[press](javascript:window.hacked=1)',
  '[press](JaVaScRiPt&colon;window.hacked=1)',
  '[press](data:text/html,<script>window.hacked=1</script>)',
  '![picture](https://pictures.invalid/spy.png)',
  '![picture](data:image/svg+xml;base64,PHN2Zy8+)',
  '> - **[x](vbscript:window.hacked)** <iframe srcdoc="<script>parent.hacked=1</script>">',
  '<javascript:window.hacked=1>',
].join('\n\n')

test('neither a message nor its preview runs or loads anything, and another person finds no such ticket', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(240_000)
  await arrive(page)
  await page.goto('/en/dashboard/ticket')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const isInert = async (place: string) => {
    const text = page.locator(place)
    await expect(text).toContainText('<script>window.hacked = 1</script>')
    await expect(text.locator('script, img, svg, iframe, [onload], [onerror]')).toHaveCount(0)
    const links = await text
      .locator('a')
      .evaluateAll((all) => all.map((a) => [a.getAttribute('href'), a.getAttribute('rel')]))
    expect(links).toEqual([['https://pictures.invalid/spy.png', 'nofollow noopener noreferrer']])
    for (const press of await text.getByText('press').all()) await press.click()
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  }
  await page.getByRole('textbox', { name: 'Message' }).fill(ATTACKS)
  await page.getByRole('button', { name: 'Preview' }).click()
  await isInert('.tk-preview .msg-text')
  const id = await openTicket(page, { title: '<b>title</b>', message: ATTACKS })
  await page.goto(`/en/dashboard/ticket/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('<b>title</b>')
  await isInert('.tk-line .msg-text')
  expect(asked.filter((url) => new URL(url).hostname === 'pictures.invalid')).toEqual([])

  const other = await (await browser.newContext({ baseURL: demo.url })).newPage()
  await other.goto('/en')
  await arrive(other)
  await other.goto(`/en/dashboard/ticket/${id}`)
  await expect(other.locator('[data-status="404"]')).toBeVisible()
  await expect(other.getByText('<b>title</b>')).toHaveCount(0)
  await other.context().close()
})

/** The site carries out what is posted there, and its answers are lost. Resolves with a way back. */
const loseAnswers = async (page: Page, path: RegExp): Promise<() => Promise<void>> => {
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    expect((await route.fetch()).status()).toBe(201)
    return route.abort('connectionfailed')
  })
  return () => page.unroute(path)
}

test('a ticket and a reply whose answers are lost are there once, although their texts are sent again after a reload', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_CONNECTION_FAILED .*\/api\/ticket/)
  await arrive(page)

  await page.goto('/en/dashboard/ticket')
  const opening = await loseAnswers(page, /\/api\/ticket$/)
  await page.getByLabel('Category').selectOption({ label: 'Game server' })
  await page.getByLabel('Title').fill('It is lost')
  await page.getByRole('textbox', { name: 'Message' }).fill('Did this arrive?')
  await expect(page.getByText('Draft saved in this browser')).toBeVisible()
  await page.getByRole('button', { name: 'Open ticket' }).click()
  await expect(page.getByText('No response.')).toBeVisible()
  await opening()
  await page.reload()
  await expect(page.getByLabel('Title')).toHaveValue('It is lost')
  await page.getByRole('button', { name: 'Open ticket' }).click()
  await page.waitForURL(/\/dashboard\/ticket\/[0-9a-f-]{36}$/)
  expect(TicketList.parse(await (await page.request.get('/api/ticket/all')).json())).toHaveLength(1)

  const replying = await loseAnswers(page, /\/messages$/)
  await messageOf(page).fill('And this?')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('No response.')).toBeVisible()
  await replying()
  await page.reload()
  await expect(lines(page).filter({ hasText: 'And this?' })).toHaveCount(1)
  await expect(messageOf(page)).toHaveValue('And this?')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(messageOf(page)).toHaveValue('')
  await page.reload()
  await expect(lines(page)).toHaveCount(2)
  await expect(lines(page).filter({ hasText: 'And this?' })).toHaveCount(1)
})
