import type { Page } from '@playwright/test'

import { ServerSettings } from '../../src/contracts/http/panel/server-settings.ts'
import { Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { SharedCustomer } from '../support/console-page.ts'
import { programEnvironment } from '../support/program-environment.ts'
import { pressUntilFocused } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

// The server of the tests that only read keeps its name.
const renamer = new SharedCustomer()
test.afterEach(({ page }) => renamer.keep(page))

const PHONE = { width: 390, height: 844 }
const NAME = 'Őrség & Társa'

const sign = (page: Page) => page.locator('.switcher')
const part = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const identity = (page: Page) => part(page, 'Name and description')
const operation = (page: Page) => part(page, 'Operation')
const statusOf = (page: Page) => page.locator('.con-meta > [role=status]')
const saved = async (page: Page, id: string): Promise<ServerSettings> =>
  ServerSettings.parse(await (await page.request.get(`/api/server/${id}/settings`)).json())
const serverOf = async (page: Page, id: string): Promise<Server> =>
  Server.parse(await (await page.request.get(`/api/server/${id}`)).json())

const openSettings = async (page: Page): Promise<string> => {
  const id = await renamer.open(page)
  await page.goto(`/en/panel/${id}/console`)
  await expect(statusOf(page)).toHaveText(/Running/, { timeout: 120_000 })
  await page.goto(`/en/panel/${id}/settings`)
  await expect(identity(page).getByLabel('Name', { exact: true })).toBeVisible()
  return id
}

test('a server gets a name and a description by keyboard: menu, list, other people and the log have them', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const id = await openSettings(page)
  const before = await saved(page, id)
  await expect(identity(page).getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
  await identity(page).getByLabel('Name', { exact: true }).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(NAME)
  await page.keyboard.press('Tab')
  await page.keyboard.type('For the evenings <b>only</b>')
  expect(await pressUntilFocused(identity(page).getByRole('button', { name: 'Save' }), 'Tab')).toBe(true)
  await page.keyboard.press('Enter')
  await expect(identity(page).getByRole('status')).toHaveText('Saved')
  expect(await saved(page, id)).toMatchObject({ name: NAME, description: 'For the evenings <b>only</b>' })
  // Without a reload.
  await expect(sign(page)).toContainText(NAME)
  await page.goto('/en/dashboard/servers')
  await expect(page.locator('.sv-row[data-server]')).toContainText(NAME)
  await page.goto(`/en/panel/${id}/activities`)
  await expect(page.getByRole('main')).toContainText('Server renamed')

  await test.step('what is not allowed is said at its field, and nothing is lost', async () => {
    await page.goto(`/en/panel/${id}/settings`)
    await identity(page).getByLabel('Name', { exact: true }).fill(' ')
    await identity(page).getByRole('button', { name: 'Save' }).click()
    await expect(identity(page).getByLabel('Name', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    for (const size of [{ width: 1440, height: 900 }, PHONE]) {
      await page.setViewportSize(size)
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
    }
    await identity(page).getByRole('button', { name: 'Discard' }).click()
    await expect(identity(page).getByLabel('Name', { exact: true })).toHaveValue(NAME)
    expect(await saved(page, id)).toMatchObject({ name: NAME })
  })
  await identity(page).getByLabel('Name', { exact: true }).fill(before.name)
  await identity(page).getByRole('button', { name: 'Save' }).click()
  await expect(identity(page).getByRole('status')).toHaveText('Saved')
})

test('the second of two who rename at once is told, keeps the typed name, and decides', async ({ page, context }) => {
  test.setTimeout(240_000)
  const id = await openSettings(page)
  const second = await context.newPage()
  await second.goto(page.url())
  await identity(second).getByLabel('Name', { exact: true }).fill('of the second')
  await identity(page).getByLabel('Name', { exact: true }).fill('of the first')
  await identity(page).getByRole('button', { name: 'Save' }).click()
  await expect(identity(page).getByRole('status')).toHaveText('Saved')

  await identity(second).getByRole('button', { name: 'Save' }).click()
  await expect(identity(second).getByRole('alert')).toContainText(
    'Someone has changed these settings in the meantime. Nothing was overwritten. The saved name is “of the first”.',
  )
  await expect(identity(second).getByLabel('Name', { exact: true })).toHaveValue('of the second')
  expect(await saved(page, id)).toMatchObject({ name: 'of the first' })
  expect(await violations(second)).toEqual([])
  await identity(second).getByRole('button', { name: 'Save' }).click()
  await expect(identity(second).getByRole('status')).toHaveText('Saved')
  expect(await saved(page, id)).toMatchObject({ name: 'of the second' })
  await second.close()
})

test('time zone, automatic start and the time to stop by keyboard; the running program gets its zone by a restart', async ({
  page,
  dataDir,
}) => {
  test.setTimeout(240_000)
  const id = await openSettings(page)
  const { identifier } = await serverOf(page, id)
  const { stopTimeoutS } = await saved(page, id)
  await operation(page).getByLabel('Time zone').selectOption('Europe/Lisbon')
  await operation(page).getByRole('switch', { name: 'Automatic start' }).focus()
  await page.keyboard.press('Space')
  await operation(page).getByRole('slider', { name: 'Time to stop' }).press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await operation(page).getByRole('button', { name: 'Save' }).press('Enter')
  await expect(operation(page).getByText('The server is still running with another time zone.')).toBeVisible()
  expect(await saved(page, id)).toMatchObject({
    timeZone: 'Europe/Lisbon',
    autoStart: false,
    stopTimeoutS: stopTimeoutS + 10,
    needsRestart: true,
  })
  expect(programEnvironment(dataDir, identifier).get('TZ')).not.toBe('Europe/Lisbon')
  expect(await violations(page)).toEqual([])
  await operation(page).getByRole('button', { name: 'Restart' }).press('Enter')
  await expect.poll(() => programEnvironment(dataDir, identifier).get('TZ'), { timeout: 60_000 }).toBe('Europe/Lisbon')
  await expect(operation(page).getByText('The server is still running with another time zone.')).toHaveCount(0, {
    timeout: 60_000,
  })

  await test.step('the details that programs and support ask for', async () => {
    const details = part(page, 'Details')
    const { ip, port } = await serverOf(page, id)
    await expect(details).toContainText(`${ip}:${port}`)
    await expect(details).toContainText(identifier)
    // The name of the account by SFTP.
    await expect(details).toContainText(`.${identifier}`)
  })
})
