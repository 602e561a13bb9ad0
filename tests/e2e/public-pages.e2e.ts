import { violations } from '../support/axe.ts'
import { hydrated } from '../support/hydrated.ts'
import { sliceOf } from '../support/slice.ts'
import { expect, test } from './test.ts'

const LANGUAGES = ['en', 'hu', 'de'] as const
const AUTH_PATHS = [
  '/auth/login',
  '/auth/register',
  '/auth/passwordreset',
  '/auth/passwordreset?token=none',
  '/auth/email?undo=none',
]
const PATHS = ['', ...AUTH_PATHS, '/blog', '/documents/terms', '/test', '/no-such-page']
const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } }

for (const language of sliceOf(LANGUAGES, LANGUAGES.length)) {
  for (const [name, size] of Object.entries(SIZES)) {
    test(`axe finds nothing on the public pages in ${language}, ${name}`, async ({ page }) => {
      await page.setViewportSize(size)
      for (const path of PATHS) {
        await page.goto(`/${language}${path}`)
        expect(await page.locator('html').getAttribute('lang'), path).toBe(language)
        expect(await violations(page), path).toEqual([])
      }
    })
  }

  test(`nothing of the public pages scrolls sideways at 320 pixels in ${language}`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    for (const path of PATHS) {
      await page.goto(`/${language}${path}`)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320)
    }
  })
}

test('the landing page has its sections and links, and the phone menu closes after a click', async ({ page }) => {
  await page.setViewportSize(SIZES.desk)
  await page.goto('/hu')
  const links = await page.locator('nav.linenav a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(links).toEqual(['#szolgaltatasok', '#miertmi', '#referenciak', '#gyik', '/blog'])
  for (const link of links.slice(0, 4)) await expect(page.locator(`section${link}`)).toBeVisible()
  await expect(page.locator('.bar__end a.btn-primary')).toHaveAttribute('href', '/dashboard/summary')
  await page.goto('/hu/blog')
  const back = await page.locator('nav.linenav a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(back).toEqual(['/#szolgaltatasok', '/#miertmi', '/#referenciak', '/#gyik', '/blog'])

  await page.setViewportSize(SIZES.phone)
  await page.goto('/hu')
  await page.getByRole('button', { name: 'Menü megnyitása' }).click()
  const menu = page.getByRole('dialog', { name: 'Főmenü' })
  await expect(menu).toBeVisible()
  expect(await violations(page)).toEqual([])
  await menu.getByRole('link', { name: 'GYIK' }).click()
  await expect(menu).toBeHidden()
  await expect(page.locator('#gyik')).toBeInViewport()
})

test('the prices are those of the catalog, and what this installation cannot install says so and leads nowhere', async ({
  page,
}) => {
  await page.goto('/hu')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('590\u00A0Ft')
  for (const [name, price] of [
    ['Bot', '590'],
    ['Minecraft', '990'],
  ] as const) {
    const row = page.locator('.dep__list a').filter({ has: page.getByText(name, { exact: true }) })
    await expect(row.locator('.dep__p')).toHaveText(`${price}\u00A0Ft`)
  }
  const rows = page.locator('.dep__list li')
  await expect(rows.first()).toContainText('Bot')
  for (const name of ['CS:GO', 'FiveM', 'Arma', 'VPS']) {
    const row = rows.filter({ has: page.getByText(name, { exact: true }) })
    await expect(row).toContainText('Még nem elérhető')
    await expect(row.getByRole('link')).toHaveCount(0)
  }
})

test('an unknown address is a 404 in the language of its prefix', async ({ page }) => {
  const answer = await page.goto('/en/no-such-page')
  expect(answer?.status()).toBe(404)
  await expect(page.getByText('This page could not be found')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Back to home' }).click()
  await expect(page).toHaveURL(/\/en$/)
})

test('the choice of a language is kept for 365 days and keeps what was typed', async ({ page, context }) => {
  await page.goto('/hu/auth/register')
  await hydrated(page)
  await page.getByLabel('Felhasználónév').fill('orsi_panni')
  await page.getByLabel('Jelszó', { exact: true }).fill('never-kept-anywhere')
  await page.getByRole('link', { name: /^DE\b/ }).click()
  await expect(page).toHaveURL(/\/de\/auth\/register$/)
  await expect(page.getByLabel('Benutzername')).toHaveValue('orsi_panni')
  await expect(page.getByLabel('Passwort', { exact: true })).toHaveValue('')
  const cookie = (await context.cookies()).find(({ name }) => name === 'i18n')
  expect(cookie?.value).toBe('de')
  expect(Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(365)
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
})

test('refusals stand at their fields, with the focus in the first', async ({ page, demo }) => {
  await page.goto('/en/auth/register')
  await hydrated(page)
  await page.getByLabel('Username').fill('a.b')
  await page.getByLabel('Password', { exact: true }).fill('long-enough-1')
  await page.getByLabel('Repeat password').fill('something-else')
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByLabel('Username')).toBeFocused()
  await expect(page.getByText('The given passwords are mismatching.')).toBeVisible()
  expect(await violations(page)).toEqual([])

  await page.goto('/en/auth/login?next=%2Fen%2Fdashboard%2Fservers')
  await hydrated(page)
  await page.getByLabel(/^Username or e.mail address/).fill(demo.customer.username)
  await page.getByLabel('Password', { exact: true }).fill('certainly-not-this')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Password', { exact: true }).fill(demo.customer.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/en\/dashboard\/servers$/)
  await page.goto('/en/auth/logout')
  await expect(page.getByText('You are signed out.')).toBeVisible()
})

test('the demo console answers, also to what was typed before its script came', async ({ page }) => {
  let goOn = () => {}
  const wait = new Promise<void>((resolve) => (goOn = resolve))
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await wait
    await route.continue()
  })
  await page.goto('/en', { waitUntil: 'commit' })
  const command = page.getByLabel('Command for the demo server')
  await command.fill('say hello')
  goOn()
  await hydrated(page, '.demo__cmd')
  await command.press('Enter')
  await expect(page.getByRole('log')).toContainText('[Server] hello')
  await command.fill('stop')
  await command.press('Enter')
  await expect(page.locator('.demo__meta .lamp-off')).toBeVisible()
})
