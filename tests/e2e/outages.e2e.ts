import { CUT_CONNECTION } from '../support/cut-connection.ts'
import { programOf } from '../support/demo-processes.ts'
import { without } from '../support/halted-supervisor.ts'
import { arrive, signIn, topUp } from '../support/journey.ts'
import { expect, test } from './test.ts'

const BACK_WITHIN_MS = 90_000

test('without the control plane pages, login and the account work, what is old or missing says so, and all heals by itself', async ({
  page,
  browser,
  baseURL,
  dataDir,
  expectedErrors,
}) => {
  test.setTimeout(600_000)
  expectedErrors.push(...CUT_CONNECTION)
  const customer = await arrive(page)
  await topUp(page, 5_000)
  await page.goto('/dashboard/summary')
  await expect(page.locator('.foot-amount').first()).toContainText('5,000')

  const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-GB' })
  const visitor = await context.newPage()
  await without(dataDir, 'control-plane', async () => {
    await test.step('public pages', async () => {
      for (const [path, text] of [
        ['/en', 'Minecraft'],
        ['/hu', 'Minecraft'],
        ['/de', 'Minecraft'],
        ['/en/blog', ''],
        ['/en/auth/register', 'Register'],
      ] as const) {
        const answer = await visitor.goto(path)
        expect(answer?.status(), path).toBe(200)
        await expect(visitor.getByRole('main')).toContainText(text)
      }
    })
    await test.step('login, and an account that says of which moment it is', async () => {
      await signIn(visitor, customer)
      await expect(visitor.getByRole('button', { name: `account: ${customer.username}` })).toBeVisible()
      const main = visitor.getByRole('main')
      await expect(main).toContainText("You don't have a server yet.")
      await expect(visitor.locator('.foot-amount').first()).toContainText('5,000')
      // An answer tells its age after a while without a control plane.
      await expect(async () => {
        await visitor.reload()
        await expect(main).toContainText("We can't reach our systems. This data is from", { timeout: 5_000 })
      }).toPass({ timeout: BACK_WITHIN_MS })
      await visitor.getByRole('link', { name: 'Balance' }).first().click()
      await expect(main).toContainText('5,000')
      await expect(main).toContainText("Your transactions didn't load. They are safe; only the list is missing.")
    })
  })
  await test.step('it recovers without a reload', async () => {
    const main = visitor.getByRole('main')
    await expect(main.getByRole('row', { name: 'Top-up' })).toContainText('5,000', { timeout: BACK_WITHIN_MS })
    await expect(visitor.locator('.foot-amount').first()).toContainText('5,000', { timeout: BACK_WITHIN_MS })
    await expect(main).not.toContainText('missing', { timeout: BACK_WITHIN_MS })
    await expect(main).not.toContainText("We can't reach our systems.", { timeout: BACK_WITHIN_MS })
    await visitor.getByRole('link', { name: 'Summary' }).first().click()
    await expect(main).toContainText("You don't have a server yet.", { timeout: BACK_WITHIN_MS })
    await expect(page.getByText('Live').or(page.locator('.foot-amount')).first()).toBeVisible()
  })
  await context.close()
})

test('after a kill -9 of the site sessions and data are intact', async ({ page, dataDir, expectedErrors }) => {
  test.setTimeout(180_000)
  expectedErrors.push(...CUT_CONNECTION)
  const customer = await arrive(page)
  await topUp(page, 5_000)
  const killed = programOf(dataDir, 'site')
  process.kill(killed, 'SIGKILL')
  await expect
    .poll(async () => (await page.request.get('/api/user/me').catch(() => undefined))?.status(), {
      timeout: BACK_WITHIN_MS,
    })
    .toBe(200)
  expect(programOf(dataDir, 'site')).not.toBe(killed)
  await page.goto('/dashboard/summary')
  await expect(page.getByRole('button', { name: `account: ${customer.username}` })).toBeVisible()
  await expect(page.locator('.foot-amount').first()).toContainText('5,000')
})
