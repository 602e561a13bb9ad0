import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { SharedCustomer } from '../support/console-page.ts'
import { statusOfServer } from '../support/journey.ts'
import { expect, test } from './test.ts'

// The server of the tests that only read goes on running; a reinstalled one stands still.
const rebuilder = new SharedCustomer()
test.afterEach(({ page }) => rebuilder.keep(page))

const open = (page: Page) => page.getByRole('button', { name: 'Reinstall…' })
const dialog = (page: Page) => page.getByRole('dialog')

const serverOf = async (page: Page, id: string): Promise<Server> =>
  Server.parse(await (await page.request.get(`/api/server/${id}`)).json())

const openSettings = async (page: Page): Promise<Server> => {
  const id = await rebuilder.open(page)
  await page.goto(`/en/panel/${id}/settings`)
  await expect(open(page)).toBeVisible()
  return serverOf(page, id)
}

/** Every text that the page's live regions have said since. The first of them is replaced as soon as the game is there. */
const listen = async (page: Page): Promise<() => Promise<string[]>> => {
  const said = await page.evaluateHandle(() => {
    const texts: string[] = []
    const note = () => {
      for (const { textContent } of document.querySelectorAll('[role="status"]')) {
        if (textContent && !texts.includes(textContent)) texts.push(textContent)
      }
    }
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
    return texts
  })
  return () => said.jsonValue()
}

/** The order is accepted, and a while later the server has the state of an installed one again. Both are said. */
const finished = async (page: Page, id: string, heard: () => Promise<string[]>): Promise<void> => {
  await expect.poll(heard).toContainEqual(expect.stringContaining('The server is being reinstalled.'))
  await expect
    .poll(async () => (await (await page.request.get('/api/user/activities')).text()).includes('server:reinstall.'))
    .toBe(true)
  await expect.poll(() => statusOfServer(page, id), { timeout: 120_000 }).toBe('offline')
  await expect(page.getByRole('status').filter({ hasText: 'The server has been reinstalled.' })).toBeVisible()
  const texts = await heard()
  const at = (start: string) => texts.findIndex((text) => text.startsWith(start))
  expect(at('The server is being reinstalled.')).toBeLessThan(at('The server has been reinstalled.'))
}

test('a running server is stopped and reinstalled: with its files, then without them', async ({ page, dataDir }) => {
  test.setTimeout(300_000)
  const server = await openSettings(page)
  const base = join(dataDir, 'agent/servers', server.identifier)
  const root = join(base, 'root')
  const world = join(root, 'worlds/first/level.dat')
  mkdirSync(join(root, 'worlds/first'), { recursive: true })
  writeFileSync(world, 'the world')
  const binned = join(base, 'files/bin/kept/content')
  mkdirSync(join(base, 'files/bin/kept'), { recursive: true })
  writeFileSync(binned, 'deleted yesterday')

  await open(page).click()
  await dialog(page).getByLabel('Server name').fill('another name')
  await dialog(page).getByRole('button', { name: 'Reinstall', exact: true }).click()
  await expect(dialog(page).getByText(`Type the server's name exactly: ${server.name}`)).toBeVisible()
  expect(await violations(page)).toEqual([])
  await dialog(page).getByLabel('Server name').fill(server.name)
  const heardFirst = await listen(page)
  await dialog(page).getByRole('button', { name: 'Reinstall', exact: true }).click()
  await finished(page, server.id, heardFirst)
  expect(readFileSync(world, 'utf8')).toBe('the world')
  expect(readFileSync(binned, 'utf8')).toBe('deleted yesterday')

  await page.reload()
  await open(page).click()
  await dialog(page)
    .getByRole('radio', { name: /^Delete all files/ })
    .check()
  // The size of what goes. The node measures a folder every 30 s, and at first found it empty.
  await expect(dialog(page).getByRole('radio', { name: /^Delete all files\s[\d.,]+\s(?:B|kB|MB)\s/ })).toBeVisible({
    timeout: 60_000,
  })
  await dialog(page).getByLabel('Server name').fill(server.name)
  const heardThen = await listen(page)
  await dialog(page).getByRole('button', { name: 'Delete files and reinstall' }).click()
  await finished(page, server.id, heardThen)
  expect(existsSync(join(root, 'worlds'))).toBe(false)
  expect(existsSync(root)).toBe(true)
  expect(readFileSync(binned, 'utf8')).toBe('deleted yesterday')
})

test('a refused reinstallation says why and loses nothing; the keyboard alone is enough, on a phone too', async ({
  page,
  expectedErrors,
}) => {
  test.setTimeout(240_000)
  // The refusals below cause these errors; no other call may.
  expectedErrors.push(/status of 503 .* http:\S+\/reinstall$/)
  const server = await openSettings(page)
  await page.route('**/api/server/*/reinstall', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'NODE_UNREACHABLE', message: 'away' } } }),
  )
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    expect.soft(await violations(page), `at rest, ${size.width}`).toEqual([])
    await open(page).press('Enter')
    await dialog(page)
      .getByRole('radio', { name: /^Keep the files/ })
      .focus()
    await page.keyboard.press('ArrowDown')
    await expect(dialog(page).getByRole('radio', { name: /^Delete all files/ })).toBeChecked()
    await page.keyboard.press('Tab')
    await expect(dialog(page).getByLabel('Server name')).toBeFocused()
    await page.keyboard.type(server.name)
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByRole('alert')).toHaveText(/^The server couldn't be reinstalled\. ./)
    await expect(dialog(page).getByLabel('Server name')).toHaveValue(server.name)
    expect.soft(await violations(page), `refused, ${size.width}`).toEqual([])
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(widest).toBeLessThanOrEqual(size.width)
    await page.keyboard.press('Escape')
    await expect(open(page)).toBeFocused()
  }
})
