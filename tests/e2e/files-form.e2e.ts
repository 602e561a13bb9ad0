import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Locator, Page } from '@playwright/test'

import { Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { keepSession } from '../support/console-page.ts'
import { openFiles, row } from '../support/files-page.ts'
import { expect, test } from './test.ts'

test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const NAME = 'server.properties'
const TEXT = [
  '#Minecraft server properties',
  '# the numbers are ours',
  'view-distance = 10',
  'pvp=true',
  'motd=A Minecraft Server',
  'server-port=1',
  'plugin-key=kept',
  '',
].join('\n')

const code = (page: Page) => page.locator('.cm-content')
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const view = (page: Page, name: 'Form' | 'Text') => page.getByRole('button', { name, exact: true })

const MOST_STOPS = 150
/** Presses Tab until the control has the focus. */
const reach = async (page: Page, control: Locator): Promise<void> => {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(control)}.`)
}

/** A server whose folder has the file, which is open. The function reads it as the program would, on the node's disk. */
const openForm = async (page: Page, dataDir: string, text: string): Promise<() => string> => {
  const serverId = await openFiles(page)
  // The journeys of a worker share their server.
  if ((await row(page, NAME).count()) > 0) {
    await row(page, NAME).click()
    await page.keyboard.press('Delete')
    await expect(row(page, NAME)).toHaveCount(0)
  }
  await page
    .locator('input[type=file]')
    .last()
    .setInputFiles({ name: NAME, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await expect(row(page, NAME)).toBeVisible()
  await page.goto(`/en/panel/${serverId}/edit/${NAME}`)
  await expect(page.getByRole('heading', { name: 'Game' })).toBeVisible()
  const { identifier } = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
  return () => readFileSync(join(dataDir, 'agent/servers', identifier, 'root', NAME), 'utf8')
}

test('a customer sets up the server in a form, which keeps the rest of the file, and restarts it', async ({
  page,
  dataDir,
}) => {
  const onDisk = await openForm(page, dataDir, TEXT)
  await page.getByLabel('View distance').fill('12')
  await page.getByRole('switch', { name: 'PvP' }).uncheck()
  await page.getByLabel('Message in the server list').fill('§aŐrsi\nsecond: line')
  await expect(page.locator('.motd .motd-a')).toHaveText(['Őrsi', 'second: line'])
  await page.getByRole('button', { name: /^Use \d+$/ }).click()
  const port = await page.getByLabel('Port', { exact: true }).inputValue()
  await expect(page.getByText(`${port} is your server's port.`)).toBeVisible()
  await page.getByLabel('Add a setting').selectOption({ label: 'Difficulty (difficulty)' })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByLabel('Difficulty', { exact: true }).selectOption('hard')

  // It was uploaded while the server ran, so it waits for a restart already; the save does not change that.
  await page.keyboard.press('Control+s')
  await expect(page.getByText(/^Saved at/)).toBeVisible()
  const saved = [
    '#Minecraft server properties',
    '# the numbers are ours',
    'view-distance = 12',
    'pvp=false',
    'motd=\\u00A7a\\u0150rsi\\nsecond\\: line',
    `server-port=${port}`,
    'plugin-key=kept',
    'difficulty=hard',
    '',
  ].join('\n')
  expect(onDisk()).toBe(saved)

  await view(page, 'Text').click()
  await expect(code(page)).toContainText('view-distance = 12')
  await page.getByRole('status').filter({ hasText: 'take effect after a restart' }).getByRole('button').click()
  await expect(page.getByText('take effect after a restart. ')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Restart' })).toHaveCount(0)
  await page.reload()
  await expect(code(page)).toContainText('view-distance = 12')
  await expect(view(page, 'Text')).toHaveAttribute('aria-pressed', 'true')
})

test('form and text show one content; a value that the server refuses is held back, and nothing is lost', async ({
  page,
  dataDir,
}) => {
  const onDisk = await openForm(page, dataDir, TEXT)
  await page.getByLabel('View distance').fill('99')
  await expect(page.getByText('A whole number from 3 to 32. With this value the server uses 10.')).toBeVisible()
  await save(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was saved' })).toBeVisible()
  expect(onDisk()).toBe(TEXT)

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('View distance')).toHaveValue('10')
  await expect(page.getByText('Nothing was saved')).toHaveCount(0)
  await page.getByLabel('Find a setting').fill('hurt')
  await expect(page.getByLabel('View distance')).toHaveCount(0)
  await page.getByRole('switch', { name: 'PvP' }).press('Space')
  await view(page, 'Text').click()
  await expect(code(page)).toContainText('pvp=false')

  // A file that Java refuses has no form; the text says why, and the form is back once it is mended.
  await code(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('bad=\\u12')
  await expect(page.getByRole('status').filter({ hasText: 'four hexadecimal digits' })).toBeVisible()
  await expect(view(page, 'Form')).toBeDisabled()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('0041')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(page.locator('.key-note')).toContainText('server-port')
  await view(page, 'Form').click()
  await expect(page.getByLabel('bad')).toHaveValue('A')
  await expect(page.getByRole('switch', { name: 'PvP' })).not.toBeChecked()
  await save(page).click()
  await expect(page.getByText(/^Saved at/)).toBeVisible()
  expect(onDisk()).toBe(`${TEXT.replace('pvp=true', 'pvp=false')}bad=\\u0041`)
})

test('axe finds nothing in the form, at both widths', async ({ page, dataDir }) => {
  await openForm(page, dataDir, `${TEXT}max-players=none\nenable-rcon=true\nrcon.password=secret\n`)
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await expect(page.getByLabel('Maximum players')).toBeVisible()
    expect.soft(await violations(page), `at ${size.width}`).toEqual([])
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(widest).toBeLessThanOrEqual(size.width)
  }
})

test('the form is filled, a setting is found and added, a refused value is mended and all is saved by keyboard alone', async ({
  page,
  dataDir,
}) => {
  const onDisk = await openForm(page, dataDir, TEXT)
  await page.setViewportSize({ width: 390, height: 844 })
  const distance = page.getByLabel('View distance')
  await reach(page, distance)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('99')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was saved' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  expect(onDisk()).toBe(TEXT)
  await reach(page, distance)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('14')
  await reach(page, page.getByRole('switch', { name: 'PvP' }))
  await page.keyboard.press('Space')
  const add = page.getByLabel('Add a setting')
  await reach(page, add)
  await page.keyboard.type('Difficulty')
  await reach(page, page.getByRole('button', { name: 'Add', exact: true }))
  await page.keyboard.press('Enter')
  await reach(page, page.getByLabel('Difficulty', { exact: true }))
  await page.keyboard.type('hard')
  await page.keyboard.press('Control+s')
  await expect(page.getByText(/^Saved at/)).toBeVisible()
  const saved = TEXT.replace('view-distance = 10', 'view-distance = 14').replace('pvp=true', 'pvp=false')
  expect(onDisk()).toBe(`${saved}difficulty=hard\n`)
  await reach(page, view(page, 'Text'))
  await page.keyboard.press('Enter')
  await expect(code(page)).toContainText('difficulty=hard')
})
