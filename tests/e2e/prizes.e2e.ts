import { Balance } from '../../src/contracts/http/balance.ts'
import { violations } from '../support/axe.ts'
import { arrive, topUp } from '../support/journey.ts'
import { expect, test } from './test.ts'

test('the wheel is spun by keyboard, tells its prize without movement, and its draw is worked out again', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await arrive(page)
  await page.goto('/dashboard/spin')
  await expect(page.getByText('1 spin left')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Prizes and chances' }).getByRole('row')).toHaveCount(9)
  await page.getByRole('button', { name: 'Spin', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').getByText(/You won: |No win this time\./)).toBeVisible()
  const whole = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize(whole)
  const draws = page.getByRole('region', { name: 'Your draws' })
  await draws.getByRole('button', { name: 'Verify' }).first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Correct: /)).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByLabel('Spin coupon').fill('nosuchcode')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.getByText('The coupon does not exist!')).toBeVisible()
  await page.getByLabel('Number of spins').fill('0')
  await page.getByRole('button', { name: 'Buy' }).click()
  await expect(page.getByText('Invalid spin count!')).toBeVisible()
  await page.getByLabel('Spin coupon').fill('spin3')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.getByText(/[34] spins left/)).toBeVisible()
})

test('a coupon is refused in words, then counts in the price that is paid', async ({ page }) => {
  await arrive(page)
  await topUp(page, 1_000)
  await page.goto('/dashboard/services/game?rent=bot')
  const price = page.getByRole('region', { name: 'Price' })
  await page.getByRole('radio', { name: 'Small' }).check()
  for (const [code, words] of [
    ['a', 'Invalid coupon code...'],
    ['NOSUCHCODE', 'The coupon does not exist!'],
    ['SUMMER25', 'This coupon has expired.'],
  ] as const) {
    await price.getByLabel('Coupon code').fill(code)
    await price.getByRole('button', { name: 'Apply' }).click()
    await expect(price.getByText(words)).toBeVisible()
  }
  await price.getByLabel('Coupon code').fill('welcome10')
  await price.getByRole('button', { name: 'Apply' }).click()
  await expect(price.getByText('Coupon WELCOME10', { exact: true })).toBeVisible()
  await price.getByRole('button', { name: 'Remove' }).click()
  await expect(price.getByText('Coupon WELCOME10', { exact: true })).toHaveCount(0)
  await price.getByLabel('Coupon code').fill('WELCOME10')
  await price.getByRole('button', { name: 'Apply' }).click()
  await expect(price.getByText('To pay').locator('..')).toContainText(/531\sFt/)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Order and pay' }).click()
  await page.waitForURL(/\/panel\/[^/]+\/console/)
  const { balanceFt } = Balance.parse(await (await page.request.get('/api/balance')).json())
  expect(balanceFt).toBe(469)
})

test('premium is bought with what it costs told before, and what ends with it after', async ({ page }) => {
  await arrive(page)
  await page.goto('/dashboard/premium')
  await page.getByRole('button', { name: 'Buy Essentials' }).click()
  const dialog = page.locator('dialog[open]')
  await expect(dialog.getByText("You don't have enough balance for this purchase!")).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await topUp(page, 5_000)
  await page.goto('/dashboard/premium')
  await page.getByRole('button', { name: 'Buy Essentials' }).click()
  await dialog.getByRole('button', { name: /^Pay/ }).click()
  await expect(page.getByText(/You already have premium: Essentials/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'What you lose' })).toBeVisible()
  expect(await violations(page)).toEqual([])
})
