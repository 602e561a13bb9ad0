import { randomBytes } from 'node:crypto'

import type { Page } from '@playwright/test'

import { ServerSettings } from '../../src/contracts/http/panel/server-settings.ts'
import { violations } from '../support/axe.ts'
import { mailedPage } from '../support/demo-mail.ts'
import { arrive, rent, sendCommand, topUp } from '../support/journey.ts'
import { card, filesOf } from '../support/known-errors-page.ts'
import { offerSmallGame } from '../support/small-game.ts'
import { expect, test } from './test.ts'

const PHONE = { width: 390, height: 844 }
const FAILED = '**** FAILED TO BIND TO PORT!'
const WRONG = 'server-port=1\nmotd=An evening\n'

const statusOf = (page: Page) => page.locator('.con-meta > [role=status]')
const bell = (page: Page) => page.locator('.bell > button')

/** Without it the server is started again, and its cards go, while somebody still reads the bell. */
const withoutAutomaticStart = async (page: Page, serverId: string): Promise<void> => {
  const path = `/api/server/${serverId}/settings`
  const { timeZone, autoStart, stopTimeoutS } = ServerSettings.parse(await (await page.request.get(path)).json())
  const seen = { timeZone, autoStart, stopTimeoutS }
  const answer = await page.request.put(`${path}/operation`, {
    headers: { origin: new URL(page.url()).origin },
    data: { ...seen, autoStart: false, seen },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

const crashes = async (page: Page): Promise<void> => {
  await expect(statusOf(page)).toHaveText(/Running/, { timeout: 60_000 })
  await sendCommand(page, `complain ${FAILED}`)
  await expect(page.getByRole('log').getByText(FAILED, { exact: true }).last()).toBeVisible()
  await sendCommand(page, 'crash')
  await expect(statusOf(page)).toHaveText(/Crashed/, { timeout: 60_000 })
}

test('a crash rings the bell and is mailed with its cause; the console has the card, whose fix is undone again', async ({
  page,
  demo,
}) => {
  test.setTimeout(300_000)
  const customer = await arrive(page)
  await topUp(page, 1_000)
  const { slug, withdraw } = await offerSmallGame(page.request, demo)
  const name = `Night ${randomBytes(2).toString('hex')}`
  const serverId = await rent(page, { service: slug, name, price: /500\sFt/ })
  await withdraw()
  await expect(statusOf(page)).toHaveText(/Running/, { timeout: 60_000 })
  await expect(page.getByRole('log')).toContainText('The game is open')
  await withoutAutomaticStart(page, serverId)
  const files = await filesOf(page, serverId)
  await files.write('server.properties', WRONG)

  await crashes(page)
  await page.getByRole('button', { name: 'Start', exact: true }).first().click()
  await expect(page.getByRole('log')).toContainText('Start number 2', { timeout: 60_000 })
  await crashes(page)

  await page.goto('/en/dashboard/summary')
  await expect(bell(page)).toHaveAccessibleName(/unread/, { timeout: 60_000 })
  await bell(page).press('Enter')
  const notice = page.getByRole('listitem').filter({ hasText: 'Server crashed again' })
  await expect(notice).toContainText(`${name} crashed for the second time within an hour.`)
  await expect(notice).toContainText("Known problem: The port is in use or isn't yours.")
  expect(await violations(page)).toEqual([])
  const read = async (path: string) => (await page.request.get(path)).text()
  expect(await mailedPage(read, `${customer.username}@example.com`, /crash/i)).toContain('FAILED TO BIND TO PORT')

  await notice.getByRole('link').press('Enter')
  await page.waitForURL(`**/panel/${serverId}/console`)
  await expect(statusOf(page)).toHaveText(/Crashed/)
  const port = card(page, "The port is in use or isn't yours")
  await expect(port).toContainText('server-port: 1 →')
  for (const size of [{ width: 1440, height: 900 }, PHONE]) {
    await page.setViewportSize(size)
    expect.soft(await violations(page), `the card, ${size.width}`).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
  }

  await port.getByRole('button', { name: 'Correct the ports' }).press('Enter')
  await expect(port).toContainText('server.properties now has ports of this server.')
  expect(await files.read('server.properties')).toMatch(/^server-port=\d{4,5}\nmotd=An evening\n$/)
  await port.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(port.getByRole('button', { name: 'Correct the ports' })).toBeFocused()
  expect(await files.read('server.properties')).toBe(WRONG)

  await port.getByRole('button', { name: 'Correct the ports' }).press('Enter')
  await port.getByRole('button', { name: 'Start', exact: true }).press('Enter')
  await expect(page.getByRole('log')).toContainText('Start number 3', { timeout: 60_000 })
  await expect(statusOf(page)).toHaveText(/Running/, { timeout: 60_000 })
  // A further run has no errors of the one before.
  await expect(card(page, "The port is in use or isn't yours")).toHaveCount(0)
})
