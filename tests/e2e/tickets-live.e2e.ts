import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { violations } from '../support/axe.ts'
import { arrive, rentByApi, statusOfServer } from '../support/journey.ts'
import { openTicket } from '../support/open-ticket.ts'
import { pageOf } from '../support/other-page.ts'
import { expect, test } from './test.ts'

/** A demo on a busy machine installs and starts for a while. */
const WAIT = { timeout: 90_000 }

/** Somebody who pauses writes no more a few seconds later: here they write on while somebody looks. */
const whileWriting = async (field: Locator, look: () => Promise<void>): Promise<void> => {
  let isWriting = true
  const write = async () => {
    while (isWriting) await field.pressSequentially('On and on. ', { delay: 100 })
  }
  const looked = look().finally(() => (isWriting = false))
  await Promise.all([looked, write()])
}
const composerOf = (page: Page) => page.getByRole('textbox', { name: 'Reply to the customer' })

test('staff see who is at work on a ticket, and the customer that support writes, but never of a note', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(240_000)
  await arrive(page)
  const id = await openTicket(page)
  await page.goto(`/en/dashboard/ticket/${id}`)
  const shown = page.locator('.tk-writing')
  await expect(page.getByRole('textbox', { name: 'Reply' })).toBeVisible()
  const [support, admin] = [await pageOf(browser, demo.url, demo.support), await pageOf(browser, demo.url, demo.admin)]
  for (const staff of [support, admin]) await staff.goto(`/admin/ticket/${id}`)
  const seen = admin.locator('.bakter-colleagues')
  await expect(composerOf(admin)).toBeVisible()

  await test.step('a colleague in the form is named, and writing is shown on both sides', async () => {
    await composerOf(support).focus()
    await expect(seen).toHaveText(/ has a reply to this ticket open\.$/)
    const place = await page.getByRole('textbox', { name: 'Reply' }).boundingBox()
    await whileWriting(composerOf(support), async () => {
      await expect(seen).toHaveText(/ is writing…$/)
      await expect(shown).toHaveText('Support is writing…')
      // The line had its place before.
      expect(await page.getByRole('textbox', { name: 'Reply' }).boundingBox()).toEqual(place)
    })
    expect(await violations(page)).toEqual([])
    expect(await violations(admin, '.bakter-tickets')).toEqual([])
  })

  await test.step('a note is told to colleagues alone', async () => {
    await composerOf(support).fill('')
    await expect(shown).toHaveText('')
    await support.getByRole('button', { name: 'Internal note' }).click()
    await whileWriting(support.getByRole('textbox', { name: 'Internal note' }), async () => {
      await expect(seen).toHaveText(/ is writing an internal note…$/)
      await expect(shown).toHaveText('')
    })
  })

  await test.step('it ends with the page, and staff see that the customer writes', async () => {
    await support.context().close()
    await expect(seen).toHaveText('')
    await whileWriting(page.getByRole('textbox', { name: 'Reply' }), () => expect(seen).toHaveText(/ is writing…$/))
  })
  await admin.context().close()
})

test('the facts about a server are shown before they are sent along, can be left out, and are read by staff', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(240_000)
  await rentByApi(page, 'Bot at 203.0.113.9')
  await page.goto('/en/dashboard/ticket')
  await page.getByLabel('Category').selectOption({ label: 'Game server' })
  await page.getByLabel('Title').fill('It does not start')
  await page.getByRole('textbox', { name: 'Message' }).fill('Please help.')
  const card = page.getByRole('region', { name: 'Details that go along' })
  await expect(card).toHaveCount(0)
  await page.getByLabel('Server (optional)').selectOption({ index: 1 })
  await expect(card).toContainText('Bot at [ip]')
  await expect(card).not.toContainText('203.0.113.9')
  expect(await violations(page)).toEqual([])
  const send = card.getByRole('switch', { name: 'Send the details of this server along' })
  await send.press('Space')
  await expect(card).toContainText('Nothing about this server goes along.')
  await expect(card).not.toContainText('Bot at [ip]')
  await send.press('Space')
  await expect(card).toContainText('Bot at [ip]')

  // A server that starts meanwhile is shown anew and sent with the next press.
  const opened = /\/dashboard\/ticket\/[0-9a-f-]{36}$/
  await expect(async () => {
    // A page that opens slowly has no such button any more.
    if (!opened.test(page.url())) await page.getByRole('button', { name: 'Open ticket' }).click({ timeout: 5_000 })
    await page.waitForURL(opened, { timeout: 10_000 })
  }).toPass({ timeout: 120_000 })
  const aside = page.getByRole('complementary', { name: 'About this ticket' })
  await expect(aside.getByRole('link', { name: 'Console' })).toBeVisible()
  await aside.getByRole('button', { name: 'Show' }).press('Enter')
  const again = page.getByRole('dialog', { name: 'What you sent along' })
  await expect(again).toContainText('Bot at [ip] #')
  await expect(again).not.toContainText('203.0.113.9')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(aside.getByRole('button', { name: 'Show' })).toBeFocused()

  const support = await pageOf(browser, demo.url, demo.support)
  await support.goto(`/admin/ticket/${page.url().split('/').at(-1)}`)
  const sent = support.locator('.bakter-sent-server')
  await expect(sent).not.toHaveAttribute('open')
  await sent.getByText('Server details from the customer').click()
  await expect(sent).toContainText('Bot at [ip] #')
  expect(await violations(support, '.bakter-tickets')).toEqual([])
  await support.context().close()
})

test('facts about a server that cannot be loaded or changed meanwhile say so, and lines that are left out are not sent', async ({
  page,
  browser,
  demo,
  expectedErrors,
}) => {
  test.setTimeout(480_000)
  expectedErrors.push(/net::ERR_FAILED .*\/api\/ticket-context\//, /status of 400 .*\/api\/ticket$/)
  const { serverId } = await rentByApi(page, 'Night watch')
  const headers = { origin: demo.url }
  const start = { action: 'start', requestId: randomUUID() }
  await expect
    .poll(async () => {
      if ((await statusOfServer(page, serverId)) === 'offline')
        await page.request.post(`/api/server/${serverId}/power`, { headers, data: start })
      return statusOfServer(page, serverId)
    }, WAIT)
    .toBe('running')
  await page.goto('/en/dashboard/ticket')
  await page.getByLabel('Category').selectOption({ label: 'Game server' })
  await page.getByLabel('Title').fill('It is slow')
  await page.getByRole('textbox', { name: 'Message' }).fill('Please help.')
  const card = page.getByRole('region', { name: 'Details that go along' })
  const lines = card.getByRole('listbox', { name: 'Log lines that go along' }).getByRole('option')
  const again = card.getByRole('button', { name: 'Try again' })
  /** A machine under load may not answer in time; it is asked again then. */
  const seeLines = () =>
    expect(async () => {
      if (await again.isVisible()) await again.click({ timeout: 5_000 })
      await expect(card.getByText('of the console, the newest from')).toBeVisible({ timeout: 15_000 })
      await expect(lines.first()).toBeVisible()
      await expect(again).toHaveCount(0)
    }).toPass({ timeout: 120_000 })

  await test.step('that they cannot be loaded is said, and they are loaded again on demand', async () => {
    const facts = '**/api/ticket-context/**'
    await page.route(facts, (route) => route.abort())
    await page.getByLabel('Server (optional)').selectOption({ index: 1 })
    await expect(card.getByRole('alert')).toContainText(
      "We couldn't load the details of this server. The ticket is sent without them.",
    )
    expect(await violations(page)).toEqual([])
    await page.unroute(facts)
    await seeLines()
    await expect(card).toContainText('of the console, the newest from')
  })

  await test.step('facts that changed are shown before they are sent', async () => {
    const renamed = await page.request.put(`/api/server/${serverId}/settings/identity`, {
      headers,
      data: { name: 'Day watch', description: '', seen: { name: 'Night watch', description: '' } },
    })
    expect(renamed.status(), await renamed.text()).toBe(200)
    await page.getByRole('button', { name: 'Open ticket' }).click()
    await expect(card.getByText('The details of this server have changed.')).toBeVisible()
    await expect(async () => {
      await seeLines()
      await expect(card).toContainText('Day watch', { timeout: 10_000 })
    }).toPass({ timeout: 120_000 })
    expect(await violations(page)).toEqual([])
  })

  await test.step('a line is left out by keyboard, and staff read that one is missing', async () => {
    const opened = /\/dashboard\/ticket\/[0-9a-f-]{36}$/
    const restore = card.getByRole('button', { name: 'Put all lines back' })
    let kept = 0
    // A customer who is refused looks at the new facts, leaves the last line out again and presses again.
    await expect(async () => {
      if (!opened.test(page.url())) {
        if (await again.isVisible()) await again.click({ timeout: 5_000 })
        await expect(lines.last()).toHaveText(/\S/, { timeout: 15_000 })
        if (await restore.isEnabled({ timeout: 5_000 })) await restore.click({ timeout: 5_000 })
        await lines.last().focus({ timeout: 5_000 })
        await page.keyboard.press('Space')
        await expect(lines.last()).toHaveAttribute('aria-selected', 'false')
        const count = await lines.count()
        await expect(card).toContainText(`${count - 1} of ${count} lines go along`)
        await page.getByRole('button', { name: 'Open ticket' }).click({ timeout: 5_000 })
        kept = count - 1
      }
      await page.waitForURL(opened, { timeout: 10_000 })
    }).toPass({ timeout: 120_000 })
    const support = await pageOf(browser, demo.url, demo.support)
    await support.goto(`/admin/ticket/${page.url().split('/').at(-1)}`)
    const sent = support.locator('.bakter-sent-server')
    await sent.getByText('Server details from the customer').click()
    await expect(sent).toContainText('Lines left out by the customer: 1')
    expect(((await sent.locator('pre').textContent()) ?? '').split('\n')).toHaveLength(kept)
    expect(await violations(support, '.bakter-tickets')).toEqual([])
    await support.context().close()
  })
})

test('a closed ticket rings its customer’s bell and leads to the rating; the queue rings the bell of staff, and counts', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(240_000)
  await arrive(page)
  const admin = await pageOf(browser, demo.url, demo.admin)
  await admin.goto('/en/dashboard/summary')
  const bell = (of: Page) => of.locator('.bell > button')
  const newest = (of: Page) => of.locator('#bell-list').getByRole('listitem').first()
  const [title, second] = [`Lag ${randomUUID()}`, `Lag ${randomUUID()}`]
  // Bells that rang before this test are seen.
  await bell(admin).click()
  await expect(bell(admin)).toHaveAccessibleName('Notifications', WAIT)
  await admin.keyboard.press('Escape')

  const id = await openTicket(page, { title, message: 'It lags.' })
  await expect(bell(admin)).toHaveAccessibleName('Notifications, 1 unread', WAIT)
  await openTicket(page, { title: second, message: 'It still lags.' })
  // Two tickets are one bell, on the page that was open all the time too.
  await bell(admin).click()
  await expect(newest(admin)).toContainText('2 new tickets have come in.')
  await expect(admin.locator('#bell-list')).not.toContainText(title)
  await newest(admin).getByRole('link').click()
  await admin.waitForURL('**/admin/tickets')
  await expect(admin.getByText(second).first()).toBeVisible(WAIT)

  await page.goto('/en/dashboard/summary')
  await expect(bell(page)).toBeVisible()
  const { origin } = new URL(demo.url)
  const closed = await admin.request.post(`/api/ticket/${id}/close`, { headers: { origin } })
  expect(closed.status(), await closed.text()).toBeLessThan(300)
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread', WAIT)
  await bell(page).click()
  await expect(newest(page)).toContainText(`closed “${title}”. Did we help you?`)
  expect(await violations(page)).toEqual([])
  await newest(page).getByRole('link').click()
  await page.waitForURL(`**/dashboard/ticket/${id}`)
  const rating = page.getByRole('group', { name: 'Did we help you?' })
  await expect(rating).toBeInViewport(WAIT)
  await rating.getByRole('button', { name: 'Yes' }).click()
  await expect(rating.getByRole('button', { name: 'Yes' })).toHaveAttribute('aria-pressed', 'true')
})
