import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { mailedPage } from '../support/demo-mail.ts'
import { rentByApi, statusOfServer, topUp } from '../support/journey.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

/** 800 Ft for the processor, 500 for memory, 400 for storage: 1700 Ft a month, and 3300 of 5000 Ft are left. */
const SIZE = { cpuPercent: 100, ramMiB: 512, storageMiB: 2048 }

/** A server of one's own size whose order is settled: before that nothing can be done with its contract. */
async function ownServer(page: Page): Promise<{ username: string; serverId: string }> {
  const { username, serverId } = await rentByApi(page, 'Watchman', SIZE)
  const isSettled = async () => {
    const word = await statusOfServer(page, serverId)
    return word !== undefined && word !== 'installing'
  }
  await expect.poll(isSettled, { timeout: 120_000 }).toBe(true)
  return { username, serverId }
}

test.describe('what a customer does with a paid server', () => {
  test.setTimeout(300_000)

  test('a renewal says what is missing, and is paid once the money is there', async ({ page }) => {
    const { serverId } = await ownServer(page)
    await page.goto(`/panel/${serverId}/settings`)
    const panel = page.getByRole('region', { name: 'Renewal' })
    await panel.getByRole('radio', { name: '3 mo' }).check()
    await expect(panel.getByText(/You need 1,800\sFt more to renew this server/)).toBeVisible()
    expect(await violations(page)).toEqual([])
    await topUp(page, 2_000)
    await page.goto(`/panel/${serverId}/settings`)
    await panel.getByRole('radio', { name: '3 mo' }).check()
    await panel.getByRole('button', { name: /^Renew for/ }).click()
    await expect(panel.getByText(/^Renewed\. Paid until/)).toBeVisible()
    // The renewal is a contract of its own, which is withdrawn from before the order.
    const contracts = page.getByRole('region', { name: 'Withdrawal' })
    await expect(contracts.getByText('Renewal of Bot')).toBeVisible()
    await expect(contracts.getByText(/has a newer renewal/)).toBeVisible()
  })

  test('a larger size is paid, a smaller one gives money back, both told before they are confirmed', async ({
    page,
  }) => {
    const { serverId } = await ownServer(page)
    await page.goto(`/panel/${serverId}/settings`)
    const panel = page.getByRole('region', { name: 'Size', exact: true })
    const memory = panel.getByRole('slider', { name: 'Memory' })
    const dialog = page.locator('dialog[open]')
    await memory.focus()
    await page.keyboard.press('ArrowRight')
    await expect(panel.getByText('Due now')).toBeVisible()
    const pay = panel.getByRole('button', { name: /^Resize and pay 250 Ft/ })
    await expect(pay).toBeEnabled()
    expect(await violations(page)).toEqual([])
    await tabTo(panel, 'button', /^Resize and pay/)
    await page.keyboard.press('Enter')
    await expect(
      dialog.getByText(/We charge your balance 250\sFt now\. The new monthly fee is 1,950\sFt/),
    ).toBeVisible()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Resize' }).click()
    await expect(panel.getByText(/^The server is resized/)).toBeVisible()
    await memory.focus()
    await page.keyboard.press('ArrowLeft')
    await expect(panel.getByText('Refund to balance')).toBeVisible()
    await panel.getByRole('button', { name: /^Resize and get 2\d\d Ft back/ }).click()
    await dialog.getByRole('button', { name: 'Resize' }).click()
    // The slider stands there before the change is made: only then does the form begin anew.
    await expect(panel.getByText("This is the server's current size.")).toBeVisible()
    await expect(memory).toHaveValue('512')
    for (let step = 0; step < 7; step += 1) await panel.getByRole('slider', { name: 'Processor' }).press('ArrowRight')
    for (let step = 0; step < 6; step += 1) await panel.getByRole('slider', { name: 'Storage' }).press('ArrowRight')
    for (let step = 0; step < 6; step += 1) await memory.press('ArrowRight')
    await expect(panel.getByText(/You need .*\sFt more for this size/)).toBeVisible()
    await expect(panel.getByRole('link', { name: 'Top up' })).toBeVisible()
  })

  test('a server in a package changes to a dearer one at once, and plans the cheaper one for its renewal', async ({
    page,
  }) => {
    const { serverId } = await rentByApi(page)
    await expect
      .poll(async () => (await page.request.get(`/api/server/${serverId}/packages`)).status(), { timeout: 120_000 })
      .toBe(200)
    await page.goto(`/panel/${serverId}/settings#resources`)
    const panel = page.getByRole('region', { name: 'Size', exact: true })
    const dialog = page.locator('dialog[open]')
    await expect(panel.getByText('Resource modification not allowed for servers in a package.')).toBeVisible()
    await expect(panel.getByRole('listitem').filter({ hasText: 'Current package' })).toContainText('590 Ft per month')
    expect(await violations(page)).toEqual([])
    await tabTo(panel, 'button', /^Change now: Medium/)
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('The new package applies immediately.')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: /^Change and pay \d+\sFt/ }).click()
    await expect(panel.getByText('The package is changed.')).toBeVisible()
    await expect(panel.getByRole('listitem').filter({ hasText: 'Current package' })).toContainText('990 Ft per month')
    await panel.getByRole('button', { name: /^Change at renewal: Small/ }).click()
    await dialog.getByRole('button', { name: 'Plan the change' }).click()
    await expect(panel.getByText(/the server changes to Small for 590\sFt per month/)).toBeVisible()
    expect(await violations(page)).toEqual([])
    const renewal = page.getByRole('region', { name: 'Renewal' })
    await expect(renewal.getByRole('button', { name: 'Renew for 590 Ft' })).toBeVisible()
    await panel.getByRole('button', { name: 'Cancel the change' }).click()
    await expect(panel.getByText(/the server changes to Small/)).toHaveCount(0)
    await expect(renewal.getByRole('button', { name: 'Renew for 990 Ft' })).toBeVisible()
  })

  test('a withdrawal by keyboard in two steps, from the row of the order to the receipt by mail', async ({ page }) => {
    const { username } = await ownServer(page)
    await page.goto('/dashboard/balance/summary')
    await tabTo(page.getByRole('row', { name: /Order/ }), 'button', /^Details/)
    await page.keyboard.press('Enter')
    await tabTo(page, 'link', /^Withdraw from contract here$/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/panel\/[^/]+\/settings#withdrawal/)
    const panel = page.getByRole('region', { name: 'Withdrawal' })
    await tabTo(panel, 'button', /^Withdraw from contract here/)
    await page.keyboard.press('Enter')
    const dialog = page.locator('dialog[open]')
    await expect(dialog.getByText('Refund to balance')).toBeVisible()
    await expect(dialog.getByText(/^We stop .* immediately/)).toBeVisible()
    await expect(dialog.getByText("A withdrawal can't be undone.")).toBeVisible()
    expect(await violations(page)).toEqual([])
    await tabTo(dialog, 'button', /^Confirm withdrawal$/)
    await page.keyboard.press('Enter')
    await expect(panel.getByText(/^Withdrawn on .* 1,700\sFt is back in your balance/)).toBeVisible()
    expect(await violations(page)).toEqual([])
    const read = async (path: string) => (await page.request.get(path)).text()
    const mail = await mailedPage(read, `${username}@example.com`, /^Confirmation of your withdrawal/)
    expect(mail).toContain('We received your withdrawal')
    expect(mail.replaceAll(/&nbsp;|\u00A0/g, ' ')).toContain('1,700 Ft')
    expect(mail).toMatch(/\d{1,2}(?:\s|&nbsp;)\w+ 20\d\d at \d\d:\d\d/)
  })

  test('the folder of a server whose time is over is downloaded before it is deleted', async ({
    page,
    dataDir,
  }, testInfo) => {
    const { serverId } = await ownServer(page)
    const { identifier } = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
    await page.goto(`/panel/${serverId}/settings`)
    const archive = page.getByRole('region', { name: 'Download folder' })
    const withdrawal = page.getByRole('region', { name: 'Withdrawal' })
    await expect(withdrawal.getByRole('button', { name: /^Withdraw from contract here/ })).toBeVisible()
    await expect(archive).toHaveCount(0)
    await withdrawal.getByRole('button', { name: /^Withdraw from contract here/ }).click()
    await page.locator('dialog[open]').getByRole('button', { name: 'Confirm withdrawal' }).click()
    await expect(withdrawal.getByText(/^Withdrawn on/)).toBeVisible()
    await page.reload()
    await expect(archive.getByText(/You can download it until .*; then we delete the server/)).toBeVisible()
    expect(await violations(page)).toEqual([])
    const folder = testInfo.outputPath('unpacked')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, 'taken.tar.gz')
    // The node hears of the end a moment later, and stops what runs.
    await expect(async () => {
      const [download] = await Promise.all([
        page.waitForEvent('download', { timeout: 15_000 }),
        archive.getByRole('button', { name: 'Download archive' }).click(),
      ])
      expect(download.suggestedFilename()).toBe(`${identifier}.tar.gz`)
      await download.saveAs(file)
    }).toPass({ timeout: 120_000 })
    await expect(archive.getByText(/^The download of .* has started/)).toBeVisible()
    expect(await violations(page)).toEqual([])
    execFileSync('tar', ['--extract', '--gzip', `--file=${file}`, `--directory=${folder}`])
    const root = join(dataDir, 'agent', 'servers', identifier, 'root')
    execFileSync('diff', ['--recursive', '--no-dereference', root, join(folder, identifier)])
  })
})
