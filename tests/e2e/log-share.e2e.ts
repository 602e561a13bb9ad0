import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { rentByApi, sendCommand } from '../support/journey.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

const PHONE = { width: 390, height: 844 }
const HOSTILE = '<img src=x onerror=alert(1)> 203.0.113.77 sk_live_1234567890abcdef owner@example.test'
const SHARED = 'You said: <img src=x onerror=alert(1)> [ip] [token] [e-mail]'

const widest = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share lines as a link' })
const copyLink = (page: Page) => dialog(page).getByRole('button', { name: /^Copy link: / })

test('a range of the log is shared by keyboard alone, read without an account, and ended', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(300_000)
  const { serverId } = await rentByApi(page)
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 90_000 })
  const log = page.getByRole('log')
  // Before that it reads no command.
  await expect(log).toContainText('The bot is ready')
  await sendCommand(page, 'this is a warning')
  await sendCommand(page, 'this is an error')
  await sendCommand(page, HOSTILE)
  await expect(log).toContainText(`You said: ${HOSTILE}`)

  await page.getByRole('heading', { level: 1 }).click()
  await tabTo(page, 'button', /^Share lines as a link$/)
  await page.keyboard.press('Enter')
  const preview = dialog(page).getByRole('region', { name: 'What will be shared' })
  await expect(preview).toContainText(SHARED)
  await expect(preview).not.toContainText('203.0.113.77')
  await expect(preview.locator('mark').first()).toHaveText('[ip]')
  expect(await violations(page)).toEqual([])
  // Only the last line.
  const last = await dialog(page).getByLabel('Last line').inputValue()
  await tabTo(dialog(page), 'spinbutton', /^First line$/)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(last)
  await page.keyboard.press('Tab')
  await expect(preview.getByRole('listitem')).toHaveCount(1)
  const text = await preview.getByRole('listitem').textContent()
  await tabTo(dialog(page), 'button', /^Create link$/)
  await page.keyboard.press('Enter')
  await expect(copyLink(page)).toBeFocused()
  expect(await violations(page)).toEqual([])
  const link = ((await copyLink(page).getAttribute('aria-label')) ?? '').replace('Copy link: ', '')
  expect(link).toMatch(/\/log\/[\w-]{32}$/)

  // Somebody else, on a phone, without an account.
  const stranger = await browser.newContext({ baseURL: demo.url, viewport: PHONE, hasTouch: true, locale: 'hu-HU' })
  const reader = await stranger.newPage()
  const answer = await reader.goto(new URL(link).pathname)
  expect(answer?.status()).toBe(200)
  expect(await answer?.allHeaders()).toMatchObject({
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
  })
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText(/megosztott napló$/)
  await expect(reader.getByRole('region', { name: 'Megosztott napló' }).getByRole('listitem')).toHaveText([text ?? ''])
  await expect(reader.getByText(/A link 23 óra múlva lejár \(/)).toBeVisible()
  await expect(reader.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex, nofollow')
  expect(await reader.locator('main img').count()).toBe(0)
  expect(await widest(reader)).toBe(PHONE.width)
  expect(await violations(reader)).toEqual([])

  // The owner ends it.
  await tabTo(dialog(page), 'button', /^End now: /)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('heading', { name: 'Open links' })).toHaveCount(0)
  const gone = await reader.reload()
  expect(gone?.status()).toBe(404)
  await expect(reader.getByText('Ez a link lejárt, vagy sosem létezett.')).toBeVisible()
  expect(await violations(reader)).toEqual([])
  expect((await reader.goto('/en/log/nothing'))?.status()).toBe(404)
  await test.step('so many shared logs a minute are refused in the language of the reader, and no other page is', async () => {
    // Each second lets one more through, so the page is asked for at once after the others.
    const refused = async () => {
      await Promise.all(Array.from({ length: 20 }, () => reader.request.get('/hu/log/nothing')))
      return (await reader.goto('/hu/log/nothing'))?.status()
    }
    await expect.poll(refused, { intervals: [0], timeout: 60_000 }).toBe(429)
    await expect(reader.getByText('Túl sok megosztott naplót nyitottak meg a kapcsolatodról.')).toBeVisible()
    expect(await violations(reader)).toEqual([])
    expect((await reader.goto('/hu/blog'))?.status()).toBe(200)
  })
  await stranger.close()
})

test.describe('with a finger', () => {
  test.use({ hasTouch: true })

  test('selected lines are copied and shared from the row that the selection shows', async ({ page, context }) => {
    test.setTimeout(200_000)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { serverId } = await rentByApi(page)
    await page.goto(`/en/panel/${serverId}/console`)
    const log = page.getByRole('log')
    await expect(log).toContainText('The bot is ready', { timeout: 90_000 })
    await sendCommand(page, 'this is a warning')
    await sendCommand(page, 'this is an error')
    await expect(log).toContainText('You said: this is an error')
    await page.setViewportSize(PHONE)
    const picked = page.getByRole('group', { name: 'Selected lines' })
    const select = async () => {
      await log.evaluate((box) => {
        const [from, to] = [...box.querySelectorAll('.l')].slice(-2)
        if (from && to) window.getSelection()?.setBaseAndExtent(from, 0, to, 2)
      })
      await expect(picked).toContainText(/^[23] lines/)
    }
    const place = await log.boundingBox()
    await select()
    expect(await log.boundingBox()).toEqual(place)
    for (const button of await picked.getByRole('button').all())
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    expect(await violations(page)).toEqual([])
    await picked.getByRole('button', { name: 'Copy' }).tap()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/an error\n$/)
    // A tap beside it takes the selection and the row away.
    await page.evaluate(() => window.getSelection()?.removeAllRanges())
    await log.tap()
    await expect(picked).toHaveCount(0)
    await select()
    const count = Number((await picked.textContent())?.slice(0, 1))
    // As browsers of phones do it: the tap takes the selection away before it presses the button.
    await page.evaluate(() =>
      document.addEventListener('pointerdown', () => window.getSelection()?.removeAllRanges(), { once: true }),
    )
    await picked.getByRole('button', { name: 'Share' }).tap()
    const shared = dialog(page).getByRole('region', { name: 'What will be shared' }).getByRole('listitem')
    await expect(shared).toHaveCount(count)
    await expect(shared.last()).toHaveAttribute('data-level', 'error')
    expect(await violations(page)).toEqual([])
  })

  test('lines are chosen and shared, and a refusal keeps the range', async ({ page, expectedErrors }) => {
    test.setTimeout(200_000)
    const { serverId } = await rentByApi(page)
    await page.goto(`/en/panel/${serverId}/console`)
    await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 90_000 })
    await page.setViewportSize(PHONE)
    await expect(page.getByRole('log').locator('.l').nth(2)).toBeVisible()
    await page.getByRole('button', { name: 'Search the log' }).tap()
    await page.getByRole('button', { name: 'Share lines as a link' }).tap()
    const shared = dialog(page).getByRole('region', { name: 'What will be shared' }).getByRole('listitem')
    await dialog(page).getByLabel('First line').fill('2')
    await dialog(page).getByLabel('Last line').fill('3')
    await dialog(page).getByText('7 days').tap()
    await expect(shared).toHaveCount(2)
    expect(await widest(page)).toBe(PHONE.width)
    expect(await violations(page)).toEqual([])
    // The server gets as many links as it can have, from elsewhere.
    const { origin } = new URL(page.url())
    for (let at = 0; at < 20; at += 1) {
      const made = await page.request.post(`/api/server/${serverId}/log-shares`, {
        headers: { origin },
        data: { text: 'a line', hours: 1 },
      })
      expect(made.status(), await made.text()).toBe(201)
    }
    expectedErrors.push(/409/)
    await dialog(page).getByRole('button', { name: 'Create link' }).tap()
    await expect(dialog(page).getByRole('alert')).toContainText('This server already has 20 open log links.')
    await expect(shared).toHaveCount(2)
    const [some] = (await (await page.request.get(`/api/server/${serverId}/log-shares`)).json()).items
    await page.request.delete(`/api/server/${serverId}/log-shares/${some.id}`, { headers: { origin } })
    await dialog(page).getByRole('button', { name: 'Create link' }).tap()
    await expect(copyLink(page)).toBeVisible()
    await expect(dialog(page).getByRole('listitem').filter({ hasText: '2 lines' })).toBeVisible()
  })
})
