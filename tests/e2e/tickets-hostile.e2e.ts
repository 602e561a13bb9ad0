import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import * as z from 'zod'

import { SeenContext } from '../../src/contracts/http/desk/server-context.ts'
import { TicketAttachment } from '../../src/contracts/http/desk/ticket-entity.ts'
import { TicketView } from '../../src/contracts/http/ticket.ts'
import { openPostgres, type Database } from '../../src/platform/postgres/database.ts'
import { environmentOf, programOf } from '../support/demo-processes.ts'
import { CANARY_HOST, HOSTILE_MESSAGE, IMAGE, isInert, POLYGLOT, RUN, watched } from '../support/hostile-texts.ts'
import { rentByApi, signInByApi } from '../support/journey.ts'
import { otherPage } from '../support/other-page.ts'
import { signInStaff } from '../support/staff.ts'
import { expect, test as base } from './test.ts'

// Texts that customers and strangers write, as support reads them: nothing of them runs, loads or leads anywhere, and
// all of them stand there as text.

const test = base.extend<{ db: Database }>({
  db: async ({ dataDir }, use) => {
    const { DATABASE_URL: url = '' } = environmentOf(programOf(dataDir, 'control-plane'))
    const db = openPostgres({ url, applicationName: 'journey', maxConnections: 2 })
    await use(db)
    await db.close()
  },
})

const QUOTED = `> ${IMAGE}\n> <script>${RUN}</script>`
const LINE = `[12:00:01] <${IMAGE}> ${POLYGLOT}`

const makeCategory = async (url: string, account: Parameters<typeof signInStaff>[1]) => {
  const staff = await signInStaff(url, account)
  const mark = randomUUID().slice(0, 8)
  const id = await staff.save('ticket-categories', { name: `${IMAGE} ${mark}`, slug: `hostile-${mark}`, active: true })
  const role = await staff.read('roles', 'support')
  const before = z.array(z.string()).parse(role['ticketCategories'])
  await staff.save('roles', { ticketCategories: [...before, id] }, role.id)
  await staff.close()
  return id
}

/** A customer whose server, files and words are all hostile. */
const hostileCustomer = async (
  { browser, url, db }: { browser: Browser; url: string; db: Database },
  categoryId: string,
) => {
  const page = await otherPage(browser, url)
  // A username cannot hold anything: neither the form nor the wires take one.
  const { username: name, serverId } = await rentByApi(page, IMAGE)
  const headers = () => ({ origin: url, 'idempotency-key': randomUUID() })
  const upload = async (fileName: string, bytes: Buffer) => {
    const answer = await page.request.post(`/api/ticket-attachment?name=${encodeURIComponent(fileName)}`, {
      headers: { ...headers(), 'content-type': 'application/octet-stream' },
      data: bytes,
    })
    expect(answer.ok(), await answer.text()).toBe(true)
    return TicketAttachment.parse(await answer.json())
  }
  const drawn = sharp({ create: { width: 320, height: 200, channels: 3, background: { r: 20, g: 90, b: 200 } } })
  const tail = Buffer.from(`<script>${RUN}</script><img src=x onerror=${RUN}>`)
  const files = [
    // A picture that is a page as well, a page that calls itself a log, a drawing with a script, and an archive behind a page.
    await upload(`${IMAGE}.html`, Buffer.concat([await drawn.jpeg().toBuffer(), tail])),
    await upload(
      'page.html',
      Buffer.from(`<!doctype html><script>${RUN};fetch('https://${CANARY_HOST}/page')</script>`),
    ),
    await upload(
      'drawing.svg',
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script></svg>`),
    ),
    await upload(`"onmouseover=${RUN} .zip`, Buffer.concat([Buffer.from('PK\u0003\u0004'), tail])),
  ]
  const { mark } = SeenContext.parse(await (await page.request.get(`/api/ticket-context/${serverId}`)).json())
  const open = async (title: string, more: object = {}) => {
    const answer = await page.request.post('/api/ticket', {
      headers: headers(),
      data: { title, categoryId, message: HOSTILE_MESSAGE, ...more },
    })
    expect(answer.ok(), await answer.text()).toBe(true)
    return TicketView.parse(await answer.json()).ticket
  }
  const ticket = await open(`${IMAGE} first`, {
    server: { id: serverId, mark },
    attachments: files.map(({ id }) => id),
  })
  const other = await open(`${IMAGE} second`)
  // As a mail of theirs would have left it, and a line that their players have written into the console.
  await db.query('update control.ticket_messages set quoted = $2 where ticket_id = $1', [ticket.id, QUOTED])
  await db.query(
    `update control.tickets set server_context = jsonb_set(server_context, '{log}', $2::jsonb) where id = $1`,
    [ticket.id, JSON.stringify({ at: new Date().toISOString(), lines: [LINE], source: 'console' })],
  )
  const say = async (message: string) => {
    const answer = await page.request.post(`/api/ticket/${ticket.id}/messages`, {
      headers: headers(),
      data: { message },
    })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  const leave = () => page.context().close()
  return { page, name, serverId, ticket, other, files, say, leave }
}
type Hostile = Awaited<ReturnType<typeof hostileCustomer>>

const lines = (page: Page) => page.getByRole('region', { name: 'Conversation' }).getByRole('article')

/** The queue and its search. */
const readsQueue = async (page: Page, { ticket, other, name }: Hostile, categoryId: string): Promise<void> => {
  const rows = page.getByRole('list', { name: 'Tickets' }).getByRole('link')
  await page.goto(`/admin/tickets?category=${categoryId}`)
  await expect(rows).toHaveText([ticket.title, other.title])
  await expect(page.locator('.bakter-queue-row').first()).toContainText(name)
  await expect(page.locator('.bakter-queue-row').first()).toContainText(`#${ticket.identifier}`)
  await isInert(page, 'the queue')
  const search = page.getByRole('searchbox', { name: 'Words or ticket number' })
  await search.fill(POLYGLOT)
  await expect.poll(() => new URL(page.url()).searchParams.get('text')).toBe(POLYGLOT)
  await isInert(page, 'a search')
  await page.goto(`/admin/tickets?category=${categoryId}&text=${encodeURIComponent(POLYGLOT)}`)
  await expect(search).toHaveValue(POLYGLOT)
  await isInert(page, 'a search that is opened by its address')
  await search.fill('onerror first')
  await expect(rows).toHaveText([ticket.title])
  await isInert(page, 'what a search has found')
}

/** The ticket with its message, quotation, files, server and customer. */
const readsTicket = async (page: Page, { ticket, other, name, files }: Hostile): Promise<void> => {
  await page.goto(`/admin/ticket/${ticket.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(ticket.title)
  const message = lines(page).first()
  for (const text of [IMAGE, POLYGLOT, '<iframe src=', '<style>@import', '<a href="javascript:'])
    await expect(message).toContainText(text)
  await expect(message).toContainText(name)
  await message.locator('details summary').click()
  await expect(message.locator('details')).toContainText(`<script>${RUN}</script>`)
  for (const { name: file } of files) await expect(message).toContainText(file)
  await page.getByText('Server details from the customer').click()
  await expect(page.locator('.bakter-sent-server')).toContainText(LINE)
  await expect(page.locator('.bakter-sent-server')).toContainText(IMAGE)
  await expect(page.getByText(other.title).first()).toBeVisible()
  await isInert(page, 'the ticket')
  // Hands go everywhere: over the files, over the names, over each link.
  for (const link of await message.getByRole('link').all()) await link.hover()
  await isInert(page, 'the ticket under the pointer')
}

/** Each dialog that names the ticket, another one, a category or a person. */
const opensDialogs = async (page: Page, { ticket, other, name }: Hostile): Promise<void> => {
  await page.getByRole('button', { name: 'Merge…' }).click()
  const merge = page.getByRole('dialog', { name: 'Merge this ticket' })
  await merge.getByRole('radio', { name: other.title }).click()
  await expect(merge).toContainText(other.title)
  await isInert(page, 'the dialog that merges')
  await merge.getByRole('searchbox').fill(POLYGLOT)
  await isInert(page, 'its search')
  // The first one empties the search.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(merge).toHaveCount(0)
  await page.getByRole('button', { name: 'Move…' }).click()
  const move = page.getByRole('dialog', { name: 'Move this ticket' })
  await expect(move.getByRole('combobox', { name: 'Category' }).locator('option')).not.toHaveCount(0)
  await isInert(page, 'the dialog that moves')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Assign…' }).click()
  const assign = page.getByRole('dialog', { name: 'Assign this ticket' })
  await expect(assign).toBeVisible()
  await isInert(page, 'the dialog that assigns')
  await page.keyboard.press('Escape')
  await expect(page.getByText(name).first()).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(ticket.title)
}

/** Files that staff open: each is saved, or drawn as the picture that the site has made of it. */
const opensFiles = async (page: Page, { ticket, files }: Hostile): Promise<void> => {
  for (const { id, name, kind } of files) {
    const address = `/api/ticket/${ticket.id}/attachments/${id}`
    const answer = await page.request.get(address)
    expect(answer.headers()).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; /),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    if (kind === 'picture') expect((await answer.body()).includes(RUN), name).toBe(false)
    const tab = await page.context().newPage()
    const saved = tab.waitForEvent('download')
    await tab.goto(address).catch(() => undefined)
    expect((await saved).suggestedFilename()).not.toMatch(/\.(html|svg|xml|js)$/)
    await tab.close()
  }
  const picture = lines(page).first().locator('.att-picture a')
  await picture.scrollIntoViewIfNeeded()
  const opened = page.context().waitForEvent('page')
  await picture.click()
  const shown = await opened
  await shown.waitForLoadState()
  expect(await shown.evaluate('document.images.length')).toBe(1)
  expect(await shown.evaluate('document.scripts.length')).toBe(0)
  await shown.close()
  await isInert(page, 'the ticket after its files were opened')
}

test('nothing that a customer writes, names or sends runs, loads or leads anywhere for support', async ({
  page,
  browser,
  demo,
  db,
}) => {
  test.setTimeout(360_000)
  const categoryId = await makeCategory(demo.url, demo.admin)
  const hostile = await hostileCustomer({ browser, url: demo.url, db }, categoryId)
  try {
    const seen = await watched(page)
    await page.goto('/en')
    await signInByApi(page, demo.support)
    await test.step('in the queue and its search', () => readsQueue(page, hostile, categoryId))
    await test.step('in the ticket', () => readsTicket(page, hostile))
    await test.step('in files that are opened', () => opensFiles(page, hostile))
    await test.step('in dialogs', () => opensDialogs(page, hostile))
    await test.step('in the bell', async () => {
      await page.getByRole('button', { name: 'Take', exact: true }).click()
      await expect(page.locator('.bakter-facts').first()).toContainText(demo.support.username)
      await hostile.say(HOSTILE_MESSAGE)
      await expect(lines(page).filter({ hasText: IMAGE })).toHaveCount(2)
      await isInert(page, 'a message that arrives')
      await page.goto('/en/dashboard/summary')
      const bell = page.locator('.bell > button')
      await expect(bell).toHaveAccessibleName(/unread/)
      await bell.click()
      await expect(page.locator('#bell-list')).toContainText(hostile.ticket.title)
      await isInert(page, 'the bell')
    })
    await test.step('in the figures', async () => {
      await page.goto('/admin/tickets/figures')
      await expect(page.getByRole('row').filter({ hasText: IMAGE })).not.toHaveCount(0)
      await isInert(page, 'the figures')
    })
    await test.step('and in what the customer reads', async () => {
      const { page: customer, ticket } = hostile
      const theirs = await watched(customer)
      await customer.goto(`/en/dashboard/ticket/${ticket.id}`)
      await expect(customer.getByRole('heading', { level: 1 })).toHaveText(ticket.title)
      await isInert(customer, "the customer's page")
      await customer.goto('/en/dashboard/tickets')
      await expect(customer.locator('.tk-row').filter({ hasText: ticket.title })).toBeVisible()
      await isInert(customer, "the customer's list")
      expect(theirs).toEqual([])
    })
    expect(seen).toEqual([])
  } finally {
    await hostile.leave()
  }
})
