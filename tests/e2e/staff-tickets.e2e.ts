import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import * as z from 'zod'
import { TicketView } from '../../src/contracts/http/ticket.ts'
import { violations } from '../support/axe.ts'
import { arrive, signInByApi } from '../support/journey.ts'
import { signInStaff } from '../support/staff.ts'
import type { Account } from '../support/demo.ts'
import { openedTicket } from '../support/open-ticket.ts'
import { otherPage } from '../support/other-page.ts'
import { expect, test } from './test.ts'

const NOTE = 'Paid by hand in May, see the bank.'
const REPLY = 'Your invoice is on its way.'

/** Two categories of their own, of which support works on the first beside those that it has. */
async function makeCategories(url: string, account: Account) {
  const staff = await signInStaff(url, account)
  const mark = randomUUID().slice(0, 8)
  const [ours, theirs] = [
    await staff.save('ticket-categories', { name: `Ours ${mark}`, slug: `ours-${mark}`, active: true }),
    await staff.save('ticket-categories', { name: `Theirs ${mark}`, slug: `theirs-${mark}`, active: true }),
  ]
  const role = await staff.read('roles', 'support')
  const before = z.array(z.string()).parse(role['ticketCategories'])
  await staff.save('roles', { ticketCategories: [...before, ours] }, role.id)
  await staff.close()
  return { ours, theirs, name: `Ours ${mark}` }
}

const open = (page: Page, categoryId: string, title: string) =>
  openedTicket(page, { title, categoryId, message: 'Where is my invoice?\nI need it today.' })

test('support takes a ticket by keyboard, writes a note and a reply, and the customer reads the reply alone', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(240_000)
  const { ours, theirs, name } = await makeCategories(demo.url, demo.admin)
  const customer = await otherPage(browser, demo.url)
  await arrive(customer)
  const older = await open(customer, ours, 'An older question')
  const { ticket } = await open(customer, ours, 'A newer question')
  const foreign = await open(customer, theirs, 'A question of others')
  await page.goto('/en')
  await signInByApi(page, demo.support)

  await test.step('finds it in the queue by keys', async () => {
    await page.goto(`/admin/tickets?category=${ours}`)
    const rows = page.getByRole('list', { name: 'Tickets' }).getByRole('link')
    await expect(rows).toHaveText(['An older question', 'A newer question'])
    await expect(rows.first()).toBeFocused()
    expect(await violations(page, '.bakter-tickets')).toEqual([])
    await page.keyboard.press('j')
    await expect(rows.last()).toBeFocused()
    await page.keyboard.press('a')
    await expect(page.getByText(`You took ticket #${ticket.identifier}.`)).toBeVisible()
    await expect(rows.last()).toBeFocused()
    await page.keyboard.press('e')
    const closing = page.getByRole('dialog', { name: 'Close this ticket?' })
    await expect(closing).toBeVisible()
    expect(await violations(page, '.bakter-tickets')).toEqual([])
    await page.keyboard.press('Escape')
    await expect(closing).toHaveCount(0)
    await expect(rows.last()).toBeFocused()
    await page.keyboard.press('m')
    await page.waitForURL(`**/admin/ticket/${ticket.id}`)
    await expect(page.getByRole('dialog', { name: 'Insert a saved reply' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.goBack()
    await expect(rows.last()).toBeFocused()
    await page.keyboard.press('r')
    await page.waitForURL(`**/admin/ticket/${ticket.id}`)
    await expect(page.getByRole('textbox', { name: 'Reply to the customer' })).toBeFocused()
    await page.goBack()
    await expect(rows.last()).toBeFocused()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/admin/ticket/${ticket.id}`)
  })

  await test.step('writes a note and a reply', async () => {
    await page.getByRole('button', { name: 'Internal note' }).click()
    await page.getByRole('textbox', { name: 'Internal note' }).fill(NOTE)
    expect(await violations(page, '.bakter-tickets')).toEqual([])
    await page.keyboard.press('Control+Enter')
    const lines = page.getByRole('region', { name: 'Conversation' }).getByRole('article')
    await expect(lines.last()).toContainText('Internal note - the customer never sees it')
    await page.getByRole('button', { name: 'Reply to the customer' }).click()
    await page.getByRole('textbox', { name: 'Reply to the customer' }).fill(REPLY)
    await page.getByRole('button', { name: 'Send the reply' }).click()
    await expect(lines.last()).toContainText(REPLY)
    await expect(page.getByRole('textbox', { name: 'Reply to the customer' })).toHaveValue('')
    expect(await violations(page, '.bakter-tickets')).toEqual([])
  })

  await test.step('finds a ticket by its number and by the words of its messages', async () => {
    await page.goto('/admin/ticket')
    await page.waitForURL('**/admin/tickets')
    const rows = page.getByRole('list', { name: 'Tickets' }).getByRole('link')
    const search = page.getByRole('searchbox', { name: 'Words or ticket number' })
    await page.goto(`/admin/tickets?category=${ours}&state=all`)
    await expect(rows).toHaveCount(2)
    await expect(rows.first()).toBeFocused()
    await page.keyboard.press('/')
    await expect(search).toBeFocused()
    await page.keyboard.type(`#${older.ticket.identifier}`)
    await expect(rows).toHaveText(['An older question'])
    await search.fill('today invoice')
    await expect(rows).toHaveCount(2)
    expect(await violations(page, '.bakter-tickets')).toEqual([])
    await search.fill('lighthouse')
    await expect(page.getByText('No tickets match these filters.')).toBeVisible()
    await search.fill('')
    await expect(rows).toHaveCount(2)
  })

  await test.step('reads the figures of their categories, and of themselves alone', async () => {
    await page.goto('/admin/tickets')
    await page.getByRole('navigation', { name: 'Pages about tickets' }).getByRole('link', { name: 'Figures' }).click()
    const row = page.getByRole('row').filter({ hasText: name })
    // Waiting, opened, answered, solved and closed without a reply.
    await expect(row.getByRole('cell', { name: /^\d+$/ })).toHaveText(['1', '2', '1', '0', '0'])
    const people = page.getByRole('region', { name: 'By staff member' }).getByRole('row')
    await expect(people).toHaveCount(2)
    await expect(people.last()).toContainText(demo.support.username)
    expect(await violations(page, '.bakter-tickets')).toEqual([])
  })

  await test.step('reads which categories are theirs and what waits there, and finds the tickets behind the number', async () => {
    const pages = page.getByRole('navigation', { name: 'Pages about tickets' })
    await pages.getByRole('link', { name: 'Categories' }).click()
    await page.waitForURL('**/admin/categories')
    const row = page.getByRole('row').filter({ hasText: name })
    await expect(row).toContainText('You work on it')
    expect(await violations(page, '.bakter-tickets')).toEqual([])
    await row.getByRole('link', { name: `Tickets that wait in ${name}: 1` }).click()
    await page.waitForURL(`**/admin/tickets?category=${ours}`)
    await expect(page.getByRole('list', { name: 'Tickets' }).getByRole('link')).toHaveCount(1)
  })

  await test.step('sees no ticket of other categories, and no page of administrators', async () => {
    // As any document of the admin that is not there.
    for (const id of [foreign.ticket.id, randomUUID()]) {
      expect((await page.goto(`/admin/ticket/${id}`))?.status()).toBe(404)
      await expect(page.getByRole('heading', { name: 'Nothing Found' })).toBeVisible()
      await expect(page.getByText('A question of others')).toHaveCount(0)
    }
    expect((await page.goto(`/admin/ticket/${ticket.id}`))?.status()).toBe(200)
    await page.goto('/admin/money/ledger')
    await expect(page.getByRole('heading', { name: 'You can manage tickets here' })).toBeVisible()
    await page.getByRole('link', { name: 'Tickets', exact: true }).click()
    await page.waitForURL('**/admin/tickets')
  })

  await test.step('the customer reads the reply and not the note, and no page of staff', async () => {
    const { messages } = TicketView.parse(await (await customer.request.get(`/api/ticket/${ticket.id}`)).json())
    expect(messages.filter(({ kind }) => kind !== 'event').map(({ message }) => message)).toEqual([
      'Where is my invoice?\nI need it today.',
      REPLY,
    ])
    await customer.goto('/admin/tickets')
    await customer.waitForURL('**/dashboard/summary')
  })

  await test.step('merges the older question into it by keyboard, and both read everything in one', async () => {
    const { identifier } = older.ticket
    await page.goto(`/admin/ticket/${older.ticket.id}`)
    await page.getByRole('button', { name: 'Merge…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Merge this ticket' })
    await dialog.getByRole('searchbox').fill(ticket.identifier)
    await dialog.getByRole('radio', { name: 'A newer question' }).press('Space')
    await expect(dialog).toContainText('only the customer sees these tickets')
    expect(await violations(page, '.bakter-tickets')).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/admin/ticket/${ticket.id}`)
    const lines = page.getByRole('region', { name: 'Conversation' })
    await expect(lines.getByRole('article').filter({ hasText: `From #${identifier}` })).toHaveCount(1)
    await expect(lines).toContainText(`merged #${identifier} into this ticket`)
    expect(await violations(page, '.bakter-tickets')).toEqual([])
    await customer.goto(`/en/dashboard/ticket/${older.ticket.id}`)
    await expect(customer.getByRole('textbox', { name: 'Reply' })).toHaveCount(0)
    await customer.getByRole('link', { name: `Open #${ticket.identifier}` }).press('Enter')
    await customer.waitForURL(`**/dashboard/ticket/${ticket.id}`)
    await expect(customer.getByText(`From #${identifier}`)).toBeVisible()
    expect(await violations(customer)).toEqual([])
  })

  await test.step('grants a test server by keyboard, which the customer sees at once and opens', async () => {
    await page.getByRole('button', { name: 'Grant test server…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Grant a test server' })
    await expect(dialog).toContainText('pays nothing for it')
    await dialog.getByRole('textbox', { name: 'Server name' }).fill('Trial')
    expect(await violations(page, '.bakter-tickets')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Conversation' })).toContainText(
      'granted a free one-day test server: Trial',
    )
    await expect(page.getByRole('button', { name: 'Grant test server…' })).toHaveCount(0)
    await expect(customer.getByText('granted a free one-day test server: Trial.')).toBeVisible()
    expect(await violations(customer)).toEqual([])
    await customer.getByRole('link', { name: 'Open the server' }).press('Enter')
    await customer.waitForURL(/\/panel\/[0-9a-f-]{36}\/console$/)
  })
})
