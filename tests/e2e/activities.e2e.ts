import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { rentByApi } from '../support/journey.ts'
import { expect, test } from './test.ts'

const entries = (page: Page) => page.locator('.act-row')
const entry = (page: Page, words: string) => entries(page).filter({ hasText: words })

const power = async (page: Page, serverId: string, action: string): Promise<void> => {
  const { origin } = new URL(page.url())
  const answer = await page.request.post(`/api/server/${serverId}/power`, { headers: { origin }, data: { action } })
  expect(answer.status()).toBe(202)
}

const noSideways = async (page: Page, width: number): Promise<void> =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)

test('a customer finds out who did what on a server, by keyboard too, keeps the filter in the address, and sees new entries arrive', async ({
  page,
}) => {
  const { serverId, username } = await rentByApi(page, 'Watchman')
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 120_000 })
  // Before its log is there, a command goes nowhere yet.
  await expect(page.getByRole('log')).toContainText('The bot is ready')
  const command = page.getByRole('textbox', { name: /Send a command/ })
  for (const line of ['say hello', 'login hunter2']) {
    await command.fill(line)
    await command.press('Enter')
    await expect(command).toHaveValue('')
  }
  await page.goto(`/en/panel/${serverId}/files`)
  await page.getByRole('button', { name: 'New file' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('motd.txt')
  await page.getByRole('dialog').getByRole('button', { name: 'Create file' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'motd.txt' })).toBeVisible()

  await test.step('the menu leads there, and every entry has its person, action, way and address', async () => {
    const link = page.getByRole('navigation').getByRole('link', { name: 'Activity', exact: true })
    // The closed dialog gives the focus back to its button first.
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await link.focus()
    await expect(link).toBeFocused()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/panel/${serverId}/activities`)
    await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: /^Today/ })).toBeVisible()
    // The node reports within moments.
    await expect(async () => {
      await page.reload()
      await expect(entry(page, 'Created a file')).toBeVisible({ timeout: 10_000 })
    }).toPass({ timeout: 90_000 })
    await expect(entry(page, 'Created a file')).toContainText(username)
    await expect(entry(page, 'Created a file')).toContainText('(you)')
    await expect(entry(page, 'Created a file')).toContainText('Panel')
    await expect(entry(page, 'Server ordered')).toContainText('127.0.0.1')
    await expect(entry(page, 'say hello')).toBeVisible()
    await expect(entry(page, 'login •••')).toBeVisible()
    await expect(page.getByText('hunter2')).toHaveCount(0)
    expect(await violations(page)).toEqual([])
  })

  await test.step('filters narrow it down, and stay in the address', async () => {
    await page.getByRole('searchbox', { name: 'Search activity' }).focus()
    await page.keyboard.type('CREATED a')
    await expect(entries(page)).toHaveCount(1)
    await expect(entry(page, 'Created a file')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('searchbox', { name: 'Search activity' })).toHaveValue('CREATED a')
    await expect(entries(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Clear filter' }).press('Enter')
    await expect(entry(page, 'say hello')).toBeVisible()
    await page.getByRole('button', { name: 'Console', exact: true }).press(' ')
    await expect(page).toHaveURL(/what=console/)
    await expect(entries(page)).toHaveCount(2)
    await page.getByRole('combobox', { name: 'How' }).selectOption('SFTP')
    await expect(page.getByText('No activity matches this filter.')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear filter' }).click()
    await page.getByRole('combobox', { name: 'Who' }).selectOption('System')
    await expect(entry(page, 'Order delivered')).toBeVisible()
    await expect(entry(page, 'say hello')).toHaveCount(0)
    await page.getByRole('combobox', { name: 'Who' }).selectOption('Everyone')
    await page.getByRole('combobox', { name: 'When' }).selectOption('Choose dates')
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await expect(page.getByText('No activity matches this filter.')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear filter' }).click()
  })

  await test.step('a new entry waits above the log until it is asked for', async () => {
    await expect(entry(page, 'say hello')).toBeVisible()
    await power(page, serverId, 'restart')
    const fresh = page.getByRole('button', { name: '1 new entry' })
    await expect(fresh).toBeVisible({ timeout: 60_000 })
    await expect(entry(page, 'Server restarted')).toHaveCount(0)
    expect(await violations(page)).toEqual([])
    await fresh.press('Enter')
    await expect(entries(page).first()).toContainText('Server restarted')
    await expect(page.getByRole('group', { name: 'Activity', exact: true })).toBeFocused()
  })

  await test.step('an entry leads to its place', async () => {
    await entry(page, 'Created a file').getByRole('link', { name: 'motd.txt' }).press('Enter')
    await page.waitForURL(`**/panel/${serverId}/edit/motd.txt`)
    await page.goBack()
    await expect(entry(page, 'Created a file')).toBeVisible()
  })

  await test.step('on a phone nothing goes sideways, and the menu has the page', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await noSideways(page, 390)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Activity', exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Files', exact: true }).click()
    await expect(entries(page)).toHaveCount(1)
  })
})

test('a reader who may not see it is told which permission is missing, and a failed call says so and recovers', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 503/)
  const { serverId } = await rentByApi(page, 'Nightwatch')
  const calls = `**/api/server/${serverId}/activities*`
  await page.route(calls, (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto(`/en/panel/${serverId}/activities`)
  await expect(page.getByText("The activity didn't load. Nothing is lost.")).toBeVisible({ timeout: 60_000 })
  expect(await violations(page)).toEqual([])
  await page.unroute(calls)
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(entry(page, 'Server ordered')).toBeVisible()

  const without = async (path: string) =>
    page.route(path, async (route) => {
      const answer = await route.fetch()
      const text = (await answer.text()).replaceAll('"activity.view"', '"file.list"')
      await route.fulfill({ response: answer, body: text })
    })
  await without('**/api/user/servers')
  await without(`**/api/server/${serverId}`)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/en/panel/${serverId}/activities`)
    await expect(
      page.getByText("You don't have permission to see the activity of this server (view activities)."),
    ).toBeVisible()
    await expect(page.getByRole('searchbox', { name: 'Search activity' })).toHaveCount(0)
    await noSideways(page, width)
    expect(await violations(page)).toEqual([])
  }
})
