import type { Browser, Page } from '@playwright/test'

import { OFFERED_PERMISSIONS } from '../../src/contracts/panel/offered-permissions.ts'
import { withNeeds } from '../../src/domain/servers/permissions.ts'
import { presetKeys } from '../../src/domain/servers/shares.ts'
import { violations } from '../support/axe.ts'
import { mailedPage } from '../support/demo-mail.ts'
import { arrive, rentByApi } from '../support/journey.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

/** The moderator's permissions that this build has, with the edits that are ticked beside them. */
const MODERATOR_AND_EDITS = OFFERED_PERMISSIONS.filter((key) =>
  withNeeds([...presetKeys('moderator'), 'file.update']).includes(key),
).length
const PHONE = { width: 390, height: 844 }

const dialog = (page: Page) => page.locator('dialog[open]')
const people = (page: Page) => page.locator('.people')
const row = (page: Page, name: string) => people(page).getByRole('listitem').filter({ hasText: name })
const widest = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** A confirmed customer in a browser of their own. */
const newPerson = async (browser: Browser, baseURL: string, viewport?: typeof PHONE) => {
  const context = await browser.newContext({
    baseURL,
    locale: 'en-GB',
    ...(viewport ? { viewport, hasTouch: true } : {}),
  })
  const page = await context.newPage()
  await page.goto('/en')
  const { username } = await arrive(page)
  return { page, username, email: `${username}@example.com` }
}

const openPeople = async (page: Page, serverId: string): Promise<void> => {
  await page.goto(`/en/panel/${serverId}/users`)
  await expect(people(page)).toBeVisible()
}

const invite = async (page: Page, email: string): Promise<void> => {
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await dialog(page)
    .getByLabel(/^E.mail address of their/)
    .fill(email)
  await dialog(page).getByRole('button', { name: 'Send invitation' }).click()
}

test('an owner invites by keyboard, the friend accepts on a phone, and loses access the moment they are removed', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(300_000)
  const { username: owner, serverId } = await rentByApi(page)
  const friend = await newPerson(browser, demo.url, PHONE)
  await openPeople(page, serverId)
  await expect(page.getByText('Nobody else has access')).toBeVisible()
  expect(await violations(page)).toEqual([])

  // Keyboard alone.
  await tabTo(page, 'button', /^Invite$/)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel(/^E.mail address of their/)).toBeFocused()
  await page.keyboard.type('nobody-at-all@example.com')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText(/^No account has this as its confirmed address/)).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Control+a')
  await page.keyboard.type(friend.email)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await expect(dialog(page).getByRole('radio', { name: /^Moderator/ })).toBeChecked()
  await tabTo(dialog(page), 'button', /^Choose permissions one by one/)
  await page.keyboard.press('Enter')
  await tabTo(dialog(page), 'checkbox', /^Edit files/)
  await page.keyboard.press('Space')
  // A tick brings what it needs.
  await expect(dialog(page).getByRole('checkbox', { name: 'List files' })).toBeChecked()
  await expect(dialog(page).getByRole('checkbox', { name: 'View and download files' })).toBeChecked()
  await expect(dialog(page).getByRole('radio', { name: /^Custom/ })).toBeChecked()
  expect(await violations(page)).toEqual([])
  await tabTo(dialog(page), 'button', /^Send invitation$/)
  await page.keyboard.press('Enter')
  await expect(row(page, friend.username)).toContainText('Invited')
  await expect(row(page, friend.username)).toContainText(`${MODERATOR_AND_EDITS} permissions`)
  expect(await violations(page)).toEqual([])

  // Nothing is allowed before the answer.
  expect((await friend.page.request.get(`/api/server/${serverId}`)).status()).toBe(404)
  const read = async (path: string) => (await page.request.get(path)).text()
  expect(await mailedPage(read, friend.email, /invites you to a server/)).toContain(owner)
  await friend.page.goto('/en/dashboard/servers')
  const invitation = friend.page.getByRole('region', { name: 'Invitations' })
  await expect(invitation).toContainText(`${owner} wants to share this server with you.`)
  expect(await violations(friend.page)).toEqual([])
  expect(await widest(friend.page)).toBeLessThanOrEqual(PHONE.width)
  await invitation.getByRole('button', { name: 'Accept Watchman' }).tap()
  await expect(invitation).toHaveCount(0)
  await expect(friend.page.getByRole('link', { name: /Watchman/ }).first()).toBeVisible()
  await friend.page.goto(`/en/panel/${serverId}/console`)
  await expect(friend.page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 90_000 })
  await friend.page.goto(`/en/panel/${serverId}/users`)
  await expect(friend.page.getByText('You need the permission “See collaborators”')).toBeVisible()
  expect(await violations(friend.page)).toEqual([])

  // The console ends with the share.
  await friend.page.goto(`/en/panel/${serverId}/console`)
  await expect(friend.page.getByRole('log')).toBeVisible()
  await expect(row(page, friend.username)).not.toContainText('Invited')
  await row(page, friend.username)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(dialog(page)).toContainText('loses access immediately')
  expect(await violations(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(row(page, friend.username)).toHaveCount(0)
  expect((await friend.page.request.get(`/api/server/${serverId}`)).status()).toBe(404)
  await expect(friend.page.getByRole('heading', { level: 1, name: 'Invalid server ID' })).toBeVisible()
  await friend.page.context().close()
})

test('a full server says so and offers premium to its owner; a collaborator edits no more than they have, and leaves', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(300_000)
  const { serverId } = await rentByApi(page)
  const [first, second] = [await newPerson(browser, demo.url), await newPerson(browser, demo.url)]
  await openPeople(page, serverId)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await dialog(page)
    .getByLabel(/^E.mail address of their/)
    .fill(first.email)
  await dialog(page)
    .getByRole('button', { name: /^Choose permissions/ })
    .click()
  for (const name of ['Invite collaborators', 'Edit collaborators']) {
    await dialog(page).getByRole('checkbox', { name }).check()
  }
  await dialog(page).getByRole('button', { name: '7 days' }).click()
  await dialog(page).getByRole('button', { name: 'Send invitation' }).click()
  await expect(row(page, first.username)).toContainText('Access ends')
  await invite(page, second.email)
  await expect(row(page, second.username)).toContainText('Viewer')
  await expect(page.getByText('All 2 places are taken.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'See premium' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Invite', exact: true })).toHaveAttribute('aria-disabled', 'true')
  expect(await violations(page)).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await violations(page)).toEqual([])
  expect(await widest(page)).toBeLessThanOrEqual(PHONE.width)

  for (const { page: own } of [first, second]) {
    await own.goto('/en/dashboard/servers')
    await own.getByRole('button', { name: 'Accept Watchman' }).click()
    await expect(own.getByRole('region', { name: 'Invitations' })).toHaveCount(0)
  }
  await openPeople(first.page, serverId)
  await expect(first.page.getByRole('link', { name: 'See premium' })).toHaveCount(0)
  await row(first.page, second.username).getByRole('button', { name: /^Edit/ }).click()
  await expect(dialog(first.page).getByRole('radio', { name: /^Co-owner/ })).toBeDisabled()
  await dialog(first.page)
    .getByRole('button', { name: /^Choose permissions/ })
    .click()
  await expect(dialog(first.page).getByRole('checkbox', { name: /^Start/ })).toBeDisabled()
  await dialog(first.page)
    .getByRole('checkbox', { name: /^List files/ })
    .uncheck()
  expect(await violations(first.page)).toEqual([])

  // The owner takes the right away while the dialog is open: what was chosen stays, and the reason is said.
  await page.setViewportSize({ width: 1440, height: 900 })
  await openPeople(page, serverId)
  await row(page, first.username).getByRole('button', { name: /^Edit/ }).click()
  await dialog(page)
    .getByRole('button', { name: /^Choose permissions/ })
    .isVisible()
  await dialog(page).getByRole('checkbox', { name: 'Edit collaborators' }).uncheck()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await dialog(first.page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(first.page).getByRole('alert')).toContainText('You need the permission “Edit collaborators”')
  await expect(dialog(first.page).getByRole('checkbox', { name: /^List files/ })).not.toBeChecked()
  await dialog(first.page).getByRole('button', { name: 'Cancel' }).click()

  await openPeople(first.page, serverId)
  await first.page.getByRole('button', { name: 'Leave this server' }).click()
  await dialog(first.page).getByRole('button', { name: 'Leave this server' }).click()
  await first.page.waitForURL(/\/dashboard\/servers/)
  expect((await first.page.request.get(`/api/server/${serverId}`)).status()).toBe(404)
  for (const { page: own } of [first, second]) await own.context().close()
})
