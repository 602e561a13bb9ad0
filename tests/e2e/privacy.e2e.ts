import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { startDiscord } from '../emulators/discord/discord.ts'
import { violations } from '../support/axe.ts'
import { mailedLink } from '../support/demo-mail.ts'
import { hydrated } from '../support/hydrated.ts'
import { arrive } from '../support/journey.ts'
import type { NewCustomer } from '../support/journey.ts'
import { expect, test } from './test.ts'

const APPLICATION = { clientId: '157730590492196864', clientSecret: 'secret-of-the-journey' }

const readWith = (page: Page) => async (path: string) => (await page.request.get(path)).text()

const enterApplication = async (page: Page, url: string, admin: NewCustomer) => {
  const headers = { origin: url }
  const signedIn = await page.request.post('/api/auth/login', { headers, data: admin })
  expect(signedIn.ok()).toBe(true)
  const data = { discord: APPLICATION }
  const saved = await page.request.post('/api/cms/globals/settings', { headers, data })
  expect([saved.status(), (await saved.text()).includes(APPLICATION.clientSecret)]).toEqual([200, false])
  await page.context().clearCookies()
}

/** An element that the bar at the top covers half would count as too small a target. */
const expectNoViolations = async (page: Page) => {
  await page.evaluate(() => window.scrollTo(0, 0))
  expect(await violations(page)).toEqual([])
}

const proveIn = async (page: Page, name: string, password: string, button: string) => {
  const region = page.getByRole(name === 'dialog' ? 'dialog' : 'region', name === 'dialog' ? {} : { name })
  await region.getByLabel('Current password').fill(password)
  await region.getByRole('button', { name: button }).click()
}

test('Discord is linked, the data is downloaded, and the account is deleted and kept', async ({
  page,
  demo,
  discordPort,
}) => {
  const discord = await startDiscord({ ...APPLICATION, redirectUris: [`${demo.url}/login`] }, discordPort)
  try {
    await enterApplication(page, demo.url, demo.admin)
    const customer = await arrive(page)
    await page.goto('/en/dashboard/settings')

    await test.step('refused there, and linked', async () => {
      const region = page.getByRole('region', { name: 'Discord' })
      await region.getByRole('button', { name: 'Link Discord' }).click()
      await page.getByRole('link', { name: 'Cancel' }).click()
      await expect(page.getByText('Discord link failure.')).toBeVisible()
      expect(page.url()).not.toContain('discord=')
      await expectNoViolations(page)
      await region.getByRole('button', { name: 'Link Discord' }).click()
      await page.getByRole('link', { name: 'Authorize' }).click()
      await expect(page.getByText('Your Discord account is linked.')).toBeVisible()
      await expect(region.getByText('Nelly')).toBeVisible()
    })

    await test.step('everything as a file', async () => {
      await page.goto('/en/dashboard/settings/account')
      const region = page.getByRole('region', { name: 'Your data' })
      await region.getByRole('button', { name: 'Download my data' }).click()
      await expectNoViolations(page)
      const downloading = page.waitForEvent('download')
      await proveIn(page, 'Your data', customer.password, 'Download my data')
      const download = await downloading
      expect(download.suggestedFilename()).toBe(`bakter-${customer.username}.json`)
      const text = readFileSync(await download.path(), 'utf8')
      const { email, tables } = JSON.parse(text) as { email: string; tables: Record<string, object[]> }
      expect(email).toBe(`${customer.username}@example.com`)
      expect(tables['identity.discord_links']).toMatchObject([{ name: 'Nelly' }])
      expect(tables['control.mails']?.length).toBeGreaterThan(0)
      expect(text).not.toContain(demo.customer.username)
    })

    await test.step('deleted: logged out, and told how to take it back', async () => {
      await page.getByRole('button', { name: 'Delete account' }).click()
      await expect(page.getByRole('dialog').getByLabel('Current password')).toBeVisible()
      await expectNoViolations(page)
      await proveIn(page, 'dialog', customer.password, 'Delete my account')
      await page.waitForURL(/\/auth\/(deletion|login)/)
      await page.goto('/en/auth/deletion?left=1')
      await expect(page.getByText('Your account is scheduled for deletion.')).toBeVisible()
      await expectNoViolations(page)
    })

    await test.step('a login offers to keep it', async () => {
      await page.goto('/en/auth/login')
      await hydrated(page)
      await page.getByLabel(/^Username or e.mail address/).fill(customer.username)
      await page.getByLabel('Password', { exact: true }).fill(customer.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByText('This account is scheduled for deletion. You can still keep it.')).toBeVisible()
      await expectNoViolations(page)
    })

    await test.step('and so does the mail', async () => {
      await page.goto(await mailedLink(readWith(page), `${customer.username}@example.com`, /\/auth\/deletion\?undo=/))
      await page.getByRole('button', { name: 'Keep the account' }).click()
      await expect(page.getByText('Your account stays.')).toBeVisible()
      expect(page.url()).not.toContain('undo=')
      await expectNoViolations(page)
    })
  } finally {
    await discord.close()
  }
})
