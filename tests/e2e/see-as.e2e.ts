import type { Browser, Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { arrive, rentByApi } from '../support/journey.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

const PHONE = { width: 390, height: 844 }
const banner = (page: Page) => page.getByRole('region', { name: "Another person's panel" })
const row = (page: Page, name: string) => page.locator('.people').getByRole('listitem').filter({ hasText: name })
const widest = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)
const menu = (page: Page, name: string) => page.locator('.side').getByRole('link', { name, exact: true })

/** A collaborator in a browser of their own, who has accepted. */
const collaborator = async (
  owner: Page,
  browser: Browser,
  facts: { serverId: string; permissions: string[]; url: string },
) => {
  const context = await browser.newContext({ baseURL: facts.url, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto('/en')
  const { username } = await arrive(page)
  const origin = new URL(owner.url()).origin
  const invited = await owner.request.post(`/api/server/${facts.serverId}/users`, {
    headers: { origin },
    data: { email: `${username}@example.com`, permissions: facts.permissions },
  })
  expect(invited.status(), await invited.text()).toBe(201)
  const accepted = await page.request.post(`/api/user/invitations/${facts.serverId}/accept`, {
    headers: { origin },
    data: {},
  })
  expect(accepted.status(), await accepted.text()).toBe(200)
  return { page, username }
}

test('an owner sees the panel as a moderator by keyboard: their pages and buttons, no change, and stops', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(300_000)
  const { serverId } = await rentByApi(page)
  await page.goto(`/en/panel/${serverId}/users`)
  const permissions = [
    'console.read',
    'console.command',
    'control.start',
    'control.stop',
    'control.restart',
    'file.list',
    'file.create',
  ]
  const friend = await collaborator(page, browser, { serverId, permissions, url: demo.url })
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 90_000 })
  await menu(page, 'Collaborators').click()
  await expect(row(page, friend.username)).toBeVisible()
  expect(await violations(page)).toEqual([])

  await tabTo(page, 'button', new RegExp(`^View the panel as ${friend.username}$`))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/console$/)
  await expect(banner(page)).toContainText(`You're viewing this panel as ${friend.username}.`)
  await expect(banner(page)).toBeFocused()
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/)
  await expect(page.getByRole('log')).toContainText(/\S/)
  expect(await violations(page)).toEqual([])

  // Their buttons are there, and none of them does anything.
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click()
  await expect(
    page.getByText("You're viewing this panel as someone else, so nothing can be changed.").first(),
  ).toBeVisible()
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/)
  const line = page.getByRole('textbox', { name: /command/i }).first()
  await line.fill('stop')
  await line.press('Enter')
  await expect(page.getByText("Not sent: you're viewing this panel as someone else.")).toBeVisible()
  await expect(line).toHaveValue('stop')

  // Files: what they may do is offered, and the machine refuses it.
  await menu(page, 'Files').click()
  await expect(page.getByRole('button', { name: /New folder|New/ }).first()).toBeVisible()
  await expect(banner(page)).toBeVisible()
  expect(await violations(page)).toEqual([])
  // Pages that they may not see say which permission is missing, and the settings show nothing of the owner's contract.
  await menu(page, 'Collaborators').click()
  await expect(page.getByText('You need the permission “See collaborators”')).toBeVisible()
  await menu(page, 'Activity').click()
  await expect(page.getByText("You don't have permission to see the activity of this server")).toBeVisible()
  await menu(page, 'Server settings').click()
  await expect(banner(page)).toBeVisible()
  await expect(page.getByRole('heading', { name: /Renewal/ })).toHaveCount(0)
  await page.setViewportSize(PHONE)
  expect(await violations(page)).toEqual([])
  expect(await widest(page)).toBeLessThanOrEqual(PHONE.width)
  await expect(banner(page)).toBeInViewport()

  await tabTo(page, 'button', /^Stop viewing$/)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/users$/)
  await expect(banner(page)).toHaveCount(0)
  await expect(row(page, friend.username)).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await menu(page, 'Activity').click()
  await expect(page.getByText('Panel viewed as a collaborator').first()).toBeVisible()
  await menu(page, 'Server settings').click()
  await expect(page.getByRole('heading', { name: /Renewal/ }).first()).toBeVisible()
  await friend.page.context().close()
})

test('the view ends where the panel is left, with a reload, and when the collaborator loses access', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(300_000)
  const { serverId } = await rentByApi(page)
  await page.goto(`/en/panel/${serverId}/users`)
  const friend = await collaborator(page, browser, { serverId, permissions: ['console.read'], url: demo.url })
  const begin = async () => {
    await page.goto(`/en/panel/${serverId}/users`)
    await row(page, friend.username)
      .getByRole('button', { name: /^View the panel as/ })
      .click()
    await expect(banner(page)).toBeVisible()
    await page.waitForURL(/\/console$/)
  }
  await begin()
  await page.getByRole('link', { name: 'All servers' }).first().click()
  await page.waitForURL(/\/dashboard\/servers/)
  await page
    .getByRole('link', { name: /Watchman/ })
    .first()
    .click()
  await page.waitForURL(/\/panel\//)
  await expect(page.getByRole('log')).toBeVisible()
  await expect(banner(page)).toHaveCount(0)

  await begin()
  await page.reload()
  await expect(page.getByRole('log')).toBeVisible()
  await expect(banner(page)).toHaveCount(0)

  await begin()
  // The console would say in a dialog of its own that the server is gone.
  await menu(page, 'Startup').click()
  await page.waitForURL(/\/startup$/)
  const removed = await friend.page.request.delete(
    `/api/server/${serverId}/users/${(await (await friend.page.request.get('/api/user/me')).json()).id}`,
    { headers: { origin: new URL(page.url()).origin } },
  )
  expect(removed.status(), await removed.text()).toBe(200)
  await menu(page, 'Server settings').click()
  await expect(page.getByText("The settings didn't load.").first()).toBeVisible({ timeout: 40_000 })
  await banner(page).getByRole('button', { name: 'Stop viewing' }).click()
  await page.waitForURL(/\/users$/)
  await page.reload()
  await expect(page.getByText('Nobody else has access')).toBeVisible()
  await friend.page.context().close()
})
