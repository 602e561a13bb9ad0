import type { Page } from '@playwright/test'

import { Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { keepSession } from '../support/console-page.ts'
import { programEnvironment } from '../support/program-environment.ts'
import { openStartup } from '../support/startup-page.ts'
import { expect, test } from './test.ts'

test.afterEach(({ page }) => keepSession(page))

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const bar = (page: Page) => page.locator('.su-saying')
const SAVED = /^(?:Saved\.|The server is still running with earlier settings)/

/** The environment of the server's own program. */
const environmentOf = async (page: Page, dataDir: string, serverId: string): Promise<Map<string, string>> => {
  const { identifier } = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
  return programEnvironment(dataDir, identifier)
}

test('a customer changes settings, sees the command, restarts, and the program runs with them', async ({
  page,
  demo,
  dataDir,
}) => {
  test.setTimeout(240_000)
  const serverId = await openStartup(page, demo)
  const command = page.getByRole('list', { name: 'Environment' })

  await field(page, 'Greeting').fill('Őrsi "; touch pwned $(id)')
  await field(page, 'Player limit').fill('999')
  await expect(page.getByText('This must be 200 or less.')).toBeVisible()
  await expect(bar(page)).toHaveText('1 setting needs a correction')
  await expect(save(page)).toBeDisabled()
  await field(page, 'Player limit').fill('42')
  await field(page, 'Difficulty').selectOption('hard')
  await page.getByRole('switch', { name: 'Whitelist' }).check()
  await page.getByRole('button', { name: 'Change Bot token' }).click()
  await field(page, 'Bot token').fill('my-secret_1')
  await expect(command).toContainText('GREETING=Őrsi "; touch pwned $(id)')
  await expect(command).toContainText('MAX_PLAYERS=42')
  await expect(command).not.toContainText('my-secret_1')
  await expect(bar(page)).toHaveText('5 unsaved changes')
  await save(page).click()
  await expect(bar(page)).toHaveText(/earlier settings/)
  await expect(page.getByText('After restart').first()).toBeVisible()
  await expect(page.locator('body')).not.toContainText('my-secret_1')

  const before = await environmentOf(page, dataDir, serverId)
  expect(before.get('MAX_PLAYERS')).not.toBe('42')
  await page.getByRole('button', { name: 'Restart' }).click()
  await expect
    .poll(async () => (await environmentOf(page, dataDir, serverId)).get('MAX_PLAYERS'), { timeout: 60_000 })
    .toBe('42')
  const after = await environmentOf(page, dataDir, serverId)
  expect([after.get('GREETING'), after.get('DIFFICULTY'), after.get('WHITELIST'), after.get('BOT_TOKEN')]).toEqual([
    'Őrsi "; touch pwned $(id)',
    'hard',
    '1',
    'my-secret_1',
  ])
  await expect(page.getByText('After restart')).toHaveCount(0, { timeout: 60_000 })

  // Shown on request, and the log says so by name.
  await page.getByRole('button', { name: 'Show: Bot token' }).click()
  await expect(field(page, 'Bot token')).toHaveText('my-secret_1')
  await page.getByRole('button', { name: 'Hide: Bot token' }).click()
  await expect(page.locator('body')).not.toContainText('my-secret_1')
  const log = await (await page.request.get('/api/user/activities')).text()
  expect(log).toContain('server:startup.edit')
  expect(log).not.toContain('my-secret_1')

  await page.getByRole('button', { name: 'Reset all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(field(page, 'Player limit')).toHaveValue('20')
  await save(page).click()
  await expect(bar(page)).toHaveText(SAVED)
  await page.reload()
  await expect(field(page, 'Greeting')).toHaveValue('Hello')
})

test('of two who edit at once nobody loses anything, and both are told', async ({ page, demo }) => {
  test.setTimeout(240_000)
  await openStartup(page, demo)
  const second = await page.context().newPage()
  await second.goto(page.url())
  await expect(field(second, 'Player limit')).toBeVisible()

  await field(second, 'Player limit').fill('55')
  await field(second, 'Greeting').fill('from the second')
  await field(page, 'Player limit').fill('33')
  await save(page).click()
  await expect(bar(page)).toHaveText(SAVED)

  await save(second).click()
  await expect(second.getByRole('alert').filter({ hasText: 'Someone else saved startup settings' })).toBeVisible()
  await expect(field(second, 'Player limit')).toHaveValue('55')
  await expect(field(second, 'Greeting')).toHaveValue('from the second')
  await expect(second.getByText('Saved meanwhile: 33')).toBeVisible()
  expect(await violations(second)).toEqual([])
  await second.getByRole('button', { name: 'Use this Player limit' }).click()
  await expect(field(second, 'Player limit')).toHaveValue('33')
  await save(second).click()
  await expect(bar(second)).toHaveText(SAVED)
  await second.reload()
  await expect(field(second, 'Player limit')).toHaveValue('33')
  await expect(field(second, 'Greeting')).toHaveValue('from the second')
  await second.close()
})

test('a failed save says why and keeps what was typed', async ({ page, demo, expectedErrors }) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/)
  test.setTimeout(240_000)
  await openStartup(page, demo)
  await field(page, 'Greeting').fill('not lost')
  await page.route('**/api/server/*/startup', (route) =>
    route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.continue(),
  )
  await save(page).click()
  await expect(bar(page)).toHaveText(/^Nothing was saved\. ./)
  await expect(field(page, 'Greeting')).toHaveValue('not lost')
  await page.unroute('**/api/server/*/startup')
  await save(page).click()
  await expect(bar(page)).toHaveText(SAVED)
})

test('the keyboard alone is enough, on a phone too, and axe finds nothing in any state', async ({ page, demo }) => {
  test.setTimeout(240_000)
  await openStartup(page, demo)
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    expect.soft(await violations(page), `at rest, ${size.width}`).toEqual([])
    await field(page, 'Player limit').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('0')
    await expect(page.getByText('This must be 1 or more.')).toBeVisible()
    expect.soft(await violations(page), `refused, ${size.width}`).toEqual([])
    await page.keyboard.press('Enter')
    await expect(field(page, 'Player limit')).toBeFocused()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(String(size.width % 199))
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Reset Player limit' })).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(bar(page)).toHaveText(SAVED)
    await page.getByRole('button', { name: 'Change Bot token' }).press('Enter')
    await expect(field(page, 'Bot token')).toBeFocused()
    expect.soft(await violations(page), `a new secret, ${size.width}`).toEqual([])
    await page.getByRole('button', { name: /^Keep the saved one/ }).press('Enter')
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(widest).toBeLessThanOrEqual(size.width)
  }
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Startup' }).filter({ visible: true })).toBeVisible()
})
