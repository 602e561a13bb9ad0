import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { ATTACHMENT_BOUNDS } from '../../src/domain/tickets/attachment.ts'
import { violations } from '../support/axe.ts'
import { bombPng, GIF } from '../support/hostile-pictures.ts'
import { arrive, signInByApi } from '../support/journey.ts'
import { openTicket } from '../support/open-ticket.ts'
import { expect, test } from './test.ts'

type NamedFile = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }

const named = (name: string, buffer: Buffer | string): NamedFile => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(buffer),
})
const screenshot = async (width = 64) => {
  const drawn = sharp({ create: { width, height: 48, channels: 3, background: { r: 20, g: 90, b: 200 } } })
  return named('shot.png', await drawn.png().toBuffer())
}
const LOG = '[12:00:01] [Server thread/ERROR]: Can’t keep up!\n'

const attached = (page: Page) => page.getByRole('list', { name: 'Attached files' })
const rowsOf = (page: Page) => page.locator('.att-row')
const row = (page: Page, name: string) => rowsOf(page).filter({ hasText: name })

/** Chooses files by the button, as a person does. */
const attach = async (page: Page, files: readonly NamedFile[]) => {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).press('Enter')
  await (await chooser).setFiles([...files])
}

/** Drops or pastes a file, which only a script can give to a page. */
const give = (target: Locator, type: 'drop' | 'paste', file: NamedFile) =>
  target.evaluate(
    (element, { type, name, bytes }) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))], name))
      const given = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        type === 'drop'
          ? new DragEvent('drop', { ...given, dataTransfer: data })
          : new ClipboardEvent('paste', { ...given, clipboardData: data }),
      )
    },
    { type, name: file.name, bytes: file.buffer.toString('base64') },
  )

const isDrawn = (picture: Locator) =>
  expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

test('a customer opens a ticket with a picture and a log, staff see both and answer with a file that the customer saves', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(240_000)
  await arrive(page)
  await page.goto('/en/dashboard/ticket')

  const id = await test.step('files go by button, paste and drop, stay through a reload, and are sent', async () => {
    await page.getByLabel('Category').selectOption({ label: 'Game server' })
    await page.getByLabel('Title').fill('It stops at night')
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('See the **files**.')
    await give(message, 'paste', await screenshot())
    await give(message, 'drop', named('latest.log', LOG))
    await attach(page, [named('needless.txt', 'Nobody needs this')])
    await expect(rowsOf(page).and(page.locator('[data-state="done"]'))).toHaveCount(3)
    await isDrawn(row(page, 'shot.png').locator('img'))
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove: needless.txt' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Attach files' })).toBeFocused()
    await expect(rowsOf(page)).toHaveCount(2)
    await page.reload()
    await expect(rowsOf(page)).toHaveText([/shot\.png/, /latest\.log/])
    await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
    await page.waitForURL(/\/dashboard\/ticket\/[0-9a-f-]{36}$/)
    await isDrawn(attached(page).getByRole('img', { name: 'shot.png' }))
    expect(await violations(page)).toEqual([])
    return page.url().split('/').at(-1) ?? ''
  })

  await test.step('the picture opens in a tab of its own, without a way back; the log is saved as it was', async () => {
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Open the picture in a new tab: shot.png' }).press('Enter')
    const tab = await opened
    await isDrawn(tab.locator('img'))
    expect(await tab.evaluate(() => window.opener)).toBe(null)
    await tab.close()
    const saved = page.waitForEvent('download')
    await attached(page).getByRole('link', { name: 'latest.log' }).press('Enter')
    const download = await saved
    expect(download.suggestedFilename()).toBe('latest.log')
    expect(await readFile(await download.path(), 'utf8')).toBe(LOG)
  })

  const staff = await (await browser.newContext({ baseURL: demo.url, locale: 'en' })).newPage()
  await test.step('support sees both, and answers with a file', async () => {
    await staff.goto('/en')
    await signInByApi(staff, demo.support)
    await staff.goto(`/admin/ticket/${id}`)
    await isDrawn(attached(staff).getByRole('img', { name: 'shot.png' }))
    await expect(attached(staff).getByRole('link', { name: 'latest.log' })).toBeVisible()
    const reply = staff.getByRole('textbox', { name: 'Reply to the customer' })
    await reply.fill('Put this beside it.')
    await attach(staff, [named('server.properties', 'view-distance=6\n')])
    await expect(row(staff, 'server.properties')).toHaveAttribute('data-state', 'done')
    await staff.getByRole('button', { name: 'Internal note' }).click()
    await expect(rowsOf(staff)).toHaveCount(0)
    await staff.getByRole('button', { name: 'Reply to the customer' }).click()
    expect(await violations(staff, '.bakter-tickets')).toEqual([])
    await staff.getByRole('button', { name: 'Send the reply' }).click()
    await expect(rowsOf(staff)).toHaveCount(0)
    await expect(staff.getByRole('article').last().getByRole('link', { name: 'server.properties' })).toBeVisible()
  })

  await test.step('the customer gets it, and the list shows the message as plain words', async () => {
    await expect(attached(page).getByRole('link', { name: 'server.properties' })).toBeVisible()
    const other = await openTicket(page, { title: 'Marks', message: 'It **stops** every `night`.' })
    await page.goto('/en/dashboard/tickets')
    const marks = page.locator(`.tk-row__link[href$="${other}"] .tk-row__text`)
    await expect(marks).toHaveText('It stops every night.')
  })
  await staff.context().close()
})

test('a file that cannot be attached says why, and no message goes without a file that is shown beside it', async ({
  page,
  expectedErrors,
}) => {
  test.setTimeout(240_000)
  expectedErrors.push(/ERR_CONNECTION_FAILED .*ticket-attachment/)
  await arrive(page)
  const id = await openTicket(page)
  await page.goto(`/en/dashboard/ticket/${id}`)
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await reply.fill('Here it is.')

  await test.step('a polyglot, a file that is too large and an empty one never leave the browser', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await attach(page, [
      named('both.png', Buffer.concat([GIF, Buffer.from('PK\u0003\u0004')])),
      named('world.zip', Buffer.alloc(ATTACHMENT_BOUNDS.bytes + 1, 'x')),
      named('empty.log', ''),
    ])
    await expect(row(page, 'both.png')).toContainText('You can only attach PNG, JPEG or WebP pictures')
    await expect(row(page, 'world.zip')).toContainText('The limit is 10 MB.')
    await expect(row(page, 'empty.log')).toContainText('This file is empty.')
    await reply.press('Control+Enter')
    await expect(
      page.getByRole('alert').filter({ hasText: 'Some files aren’t' }).or(page.locator('.att-note')),
    ).toHaveText("Some files aren't attached. Try them again or remove them, then send the message.")
    expect(await violations(page)).toEqual([])
    expect(asked.filter((url) => /ticket-attachment|messages/.test(url))).toEqual([])
    for (const name of ['both.png', 'world.zip', 'empty.log'])
      await page.getByRole('button', { name: `Remove: ${name}` }).click()
    await expect(page.locator('.att-note')).toHaveCount(0)
  })

  await test.step('a picture that only calls itself one is refused by the site', async () => {
    await attach(page, [
      named('half.png', Buffer.concat([bombPng(9, 9).subarray(0, 40), Buffer.from('<script>1</script>')])),
      named('bomb.png', bombPng(30_000, 30_000)),
    ])
    await expect(row(page, 'half.png')).toContainText("You can't attach this file.")
    await expect(row(page, 'bomb.png')).toContainText('40 megapixels')
    await expect(page.getByRole('button', { name: /^Try again/ })).toHaveCount(0)
    for (const name of ['half.png', 'bomb.png']) await page.getByRole('button', { name: `Remove: ${name}` }).click()
  })

  await test.step('a lost connection can be tried again; more than five are left out', async () => {
    await page.route('**/api/ticket-attachment?*', (route) => route.abort('connectionfailed'))
    await attach(
      page,
      ['1.log', '2.log', '3.log', '4.log', '5.log', '6.log'].map((name) => named(name, LOG)),
    )
    await expect(page.locator('.att-note')).toContainText('You can attach up to 5 files to a message.')
    await expect(row(page, '1.log')).toContainText('No response. Check your connection.')
    await page.unroute('**/api/ticket-attachment?*')
    for (const name of ['2.log', '3.log', '4.log', '5.log'])
      await page.getByRole('button', { name: `Remove: ${name}` }).click()
    await page.getByRole('button', { name: 'Try again: 1.log' }).press('Enter')
    await expect(page.locator('.att-row[data-state="done"]')).toHaveCount(1)
    await reply.press('Control+Enter')
    await expect(page.locator('.tk-line').last().getByRole('link', { name: '1.log' })).toBeVisible()
    await expect(rowsOf(page)).toHaveCount(0)
  })

  await test.step('a picture that is gone says so', async () => {
    await attach(page, [await screenshot()])
    await expect(row(page, 'shot.png')).toHaveAttribute('data-state', 'done')
    await page.route('**/api/ticket/*/attachments/*', (route) =>
      route.fulfill({ status: 404, json: { error: { code: 'NOT_FOUND', message: 'Not found.' } } }),
    )
    await reply.fill('And this.')
    await reply.press('Control+Enter')
    await expect(page.getByText('This file no longer exists.')).toBeVisible()
    await page.unroute('**/api/ticket/*/attachments/*')
    await page.locator('.att-picture').getByRole('button', { name: 'Try again' }).click()
    await isDrawn(attached(page).getByRole('img', { name: 'shot.png' }))
  })
})

test('on a phone the button that sends is in view when a ticket opens, and every control can be touched', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await page.setViewportSize({ width: 390, height: 844 })
  await arrive(page)
  const id = await openTicket(page)
  await page.goto(`/en/dashboard/ticket/${id}`)
  const send = page.getByRole('button', { name: 'Send' })
  const bar = page.locator('.bottom')
  await expect(bar).toBeVisible()
  const roomBelow = async () =>
    ((await bar.boundingBox())?.y ?? 0) - (await send.evaluate((button) => button.getBoundingClientRect().bottom))
  await expect.poll(roomBelow).toBeGreaterThanOrEqual(0)
  await attach(page, [await screenshot(), named('a-log-with-a-name-that-is-far-too-long-for-a-phone.log', LOG)])
  await expect(page.locator('.att-row[data-state="done"]')).toHaveCount(2)
  for (const control of await page.locator('.tk-box button').all()) {
    const box = await control.boundingBox()
    expect(box?.height, await control.innerText()).toBeGreaterThanOrEqual(44)
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await violations(page)).toEqual([])
})
