import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { hydrated } from '../support/hydrated.ts'
import { signInByApi } from '../support/journey.ts'
import { expect, test } from './test.ts'

const isScript = (url: string) => /\/_next\/static\/.*\.js/.test(url)

/** The scripts that a page asks for. */
async function scriptsOf(page: Page, path: string): Promise<Set<string>> {
  const asked = new Set<string>()
  const note = (request: { url: () => string }) => void asked.add(new URL(request.url()).pathname)
  page.on('request', note)
  await page.goto(path, { waitUntil: 'networkidle' })
  // The network also rests while the machine does: a page that is whole has asked for everything.
  await allArrived(page)
  page.off('request', note)
  return new Set([...asked].filter(isScript))
}

test('a script chunk that is gone reloads the page once, and then there is the error page', async ({
  page,
  context,
  demo,
  expectedErrors,
}) => {
  expectedErrors.push(
    /ChunkLoadError|[Ll]oading chunk|[Ll]oad chunk|Refused to execute script|MIME type|net::ERR_FAILED/,
  )
  await signInByApi(page, demo.customer)
  // Nothing is fetched ahead, so that the services' own scripts are asked for by the click.
  await context.route('**/*', (route) =>
    'next-router-prefetch' in route.request().headers() ? route.abort() : route.fallback(),
  )
  const services = await scriptsOf(page, '/dashboard/services/game')
  const summary = await scriptsOf(page, '/dashboard/summary')
  const own = [...services].filter((path) => !summary.has(path))
  expect(own.length, 'scripts that only the services page needs').toBeGreaterThan(0)
  await context.route(
    (url) => own.includes(url.pathname),
    (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'gone' }),
  )
  let loads = 0
  page.on('load', () => {
    loads += 1
  })

  const toServices = page.getByRole('link', { name: 'Services', exact: true }).first()
  const account = page.getByRole('button', { name: `account: ${demo.customer.username}` })
  const reloaded = page.waitForEvent('load')
  await toServices.click()
  await reloaded
  await expect(account).toBeVisible()
  expect(loads).toBe(1)
  await toServices.click()
  await expect(page.getByRole('heading', { name: 'Something went wrong.' })).toBeVisible()
  expect(loads, 'within the pause it does not reload again').toBe(1)
})

test('without a session the login comes first and leads back; an expired one is refreshed first', async ({
  page,
  context,
  demo,
}) => {
  await page.goto('/en/dashboard/services/game?rent=bot')
  await expect(page).toHaveURL(/\/en\/auth\/login\?next=%2Fen%2Fdashboard%2Fservices%2Fgame%3Frent%3Dbot$/)
  await hydrated(page)
  await page.getByLabel(/^Username or e.mail address/).fill(demo.customer.username)
  await page.getByLabel('Password', { exact: true }).fill(demo.customer.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/en\/dashboard\/services\/game\?rent=bot$/)

  const access = (await context.cookies()).find(({ name }) => name.endsWith('bakter_access'))
  if (!access) throw new Error('There is no access cookie.')
  await context.addCookies([{ ...access, value: 'expired' }])
  await page.goto('/en/dashboard/summary')
  await expect(page.getByRole('button', { name: `account: ${demo.customer.username}` })).toBeVisible()
  await expect(page).toHaveURL(/\/en\/dashboard\/summary$/)

  await context.clearCookies({ name: /refresh/ })
  await context.addCookies([{ ...access, value: 'expired' }])
  await page.goto('/en/dashboard/summary')
  await expect(page).toHaveURL(/\/auth\/login\?next=%2Fen%2Fdashboard%2Fsummary$/)
})

test('an unknown address is a whole page of status 404 without any script', async ({ browser, demo }) => {
  const context = await browser.newContext({ baseURL: demo.url, javaScriptEnabled: false })
  const page = await context.newPage()
  for (const path of ['/hu/nincs-ilyen', '/hu/documents/none', '/hu/blog/none']) {
    expect((await page.goto(path))?.status(), path).toBe(404)
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('A 404-es szám alatt nincs senki.')
    expect((await context.request.head(path)).status(), path).toBe(404)
  }
  expect((await context.request.head('/hu/documents/terms')).status()).toBe(200)
  await context.close()
})

test('an unknown dashboard address goes to the summary by itself, but not under the focus of a reader', async ({
  page,
  demo,
}) => {
  await signInByApi(page, demo.customer)
  // It leaves after a few seconds, also when the machine of this test looks later.
  const headings = new Set<string>()
  await page.exposeFunction('noteHeading', (text: string) => void headings.add(text))
  await page.addInitScript(() => {
    const noted = new Set<string>()
    const look = () => {
      for (const { textContent: text } of document.querySelectorAll('h1')) {
        if (noted.has(text)) continue
        noted.add(text)
        void (Reflect.get(window, 'noteHeading') as (text: string) => void)(text)
      }
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  })
  await page.goto('/dashboard/no-such-page')
  await expect(page).toHaveURL(/\/dashboard\/summary$/)
  await expect.poll(() => [...headings]).toContain('This page does not exist')

  // A reader who is there from the first moment on.
  await page.addInitScript(() => {
    setInterval(() => {
      const link = document.querySelector<HTMLElement>('[data-status="404"] a')
      link?.blur()
      link?.focus()
    }, 200)
  })
  await page.clock.install()
  await page.goto('/dashboard/no-such-page')
  await hydrated(page, '[data-status="404"] a')
  await expect(page.getByRole('main').getByRole('link', { name: 'To the summary' })).toBeFocused()
  await page.clock.runFor(60_000)
  await expect(page).toHaveURL(/no-such-page$/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/summary$/)
})

/** A link is followed within the page once that has come to life, and nothing that arrives later writes an amount before. */
const allArrived = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Checking your servers…')
  await expect(page.locator('.foot-amount').first()).toBeVisible()
  await expect(page.locator('.skel:visible')).toHaveCount(0)
}

test('an error of a page shows its message, its status, an id to copy and a way on', async ({
  page,
  context,
  demo,
  expectedErrors,
}) => {
  expectedErrors.push(/Forced by the test/)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signInByApi(page, demo.customer)
  await page.goto('/dashboard/summary')
  await allArrived(page)
  // The summary page may draw an amount before the router leaves it, and then it sends a report of its own.
  const told = page.waitForRequest(
    (request) =>
      request.url().endsWith('/api/error-report') &&
      (request.postDataJSON() as { page: string }).page === '/dashboard/balance/summary',
  )
  await page.evaluate(() => {
    // Every amount on the page is written by this.
    Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
      get: () => {
        throw new Error('Forced by the test for panni@example.test')
      },
    })
    document.querySelector<HTMLAnchorElement>('a[href="/dashboard/balance/summary"]')?.click()
  })
  await page.waitForURL('**/dashboard/balance/summary')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something went wrong.')
  await expect(page.getByText('Forced by the test')).toBeVisible()
  await expect(page.locator('.nf__sign')).toHaveText('500')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()

  const id = await page.locator('.report-id code').innerText()
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  await page.getByRole('button', { name: `Copy: ${id}` }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id)
  const report = await told
  expect(report.postDataJSON()).toMatchObject({
    reportId: id,
    message: 'Forced by the test for <address>',
  })
  expect((await report.response())?.status()).toBe(202)
  expect(await violations(page)).toEqual([])
})

test('the error page does not wait for its report, and an error within it has the words of the specification', async ({
  page,
  demo,
  expectedErrors,
}) => {
  expectedErrors.push(/Forced by the test/, /net::ERR_FAILED/)
  await signInByApi(page, demo.customer)
  await page.goto('/dashboard/summary')
  await allArrived(page)
  await page.route('**/api/error-report', (route) => route.abort())
  await page.evaluate(() => {
    Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
      get: () => {
        const error = new Error('Forced by the test')
        // The error page asks an error for its status.
        Object.defineProperty(error, 'status', {
          get: () => {
            throw new Error('Forced by the test within the error page')
          },
        })
        throw error
      },
    })
    document.querySelector<HTMLAnchorElement>('a[href="/dashboard/balance/summary"]')?.click()
  })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('An error occurred while showing the error page')
  await expect(page.getByRole('link', { name: 'Go back home' })).toHaveAttribute('href', '/')
})

test('the rent flow opens with the offer that was clicked and keeps what was typed', async ({ page, demo }) => {
  await signInByApi(page, demo.customer)
  await page.goto('/en')
  await page.locator('.dep__list a').filter({ hasText: 'Minecraft' }).click()
  const price = page.getByRole('region', { name: 'Price' })
  await expect(page.getByRole('radio', { name: 'Small' })).toBeChecked()
  await expect(price.getByText('To pay').locator('..')).toContainText('990')
  await page.getByLabel('Server name').fill('Autumn')
  await page.getByRole('radio', { name: 'Large' }).check()
  await page.getByRole('radio', { name: '6 mo' }).check()
  await price.getByRole('link', { name: 'Top up' }).click()
  await expect(page).toHaveURL(/\/dashboard\/balance\/summary\?amount=/)
  await page.goBack()
  await expect(page.getByLabel('Server name')).toHaveValue('Autumn')
  await expect(page.getByRole('radio', { name: 'Large' })).toBeChecked()
  await expect(page.getByRole('radio', { name: '6 mo' })).toBeChecked()
})

test('the filters of a list are in the address: a reload and the way back find them again', async ({ page, demo }) => {
  await signInByApi(page, demo.customer)
  await page.goto('/dashboard/services/game')
  const search = page.getByRole('searchbox')
  const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name: /^Rent/ }) })
  await allArrived(page)
  await search.fill('mine')
  await expect(page).toHaveURL(/\?q=mine$/)
  await expect(rows).toHaveCount(1)
  await page.reload()
  await expect(search).toHaveValue('mine')
  await expect(rows).toHaveCount(1)
  await rows.getByRole('link').click()
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Rent Minecraft' })).toBeVisible()
  await page.goBack()
  await expect(search).toHaveValue('mine')
  await search.fill('')
  await page.getByRole('button', { name: 'Featured' }).click()
  await expect(page).toHaveURL(/\/game\?show=highlighted$/)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/services\/game$/)
})

test('the first reads of every page are requested once, before its scripts have run', async ({ page, demo }) => {
  await signInByApi(page, demo.customer)
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  let letScriptsGo: () => void = () => {}
  const scriptsMayGo = new Promise<void>((done) => (letScriptsGo = done))
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await scriptsMayGo
    await route.fallback()
  })
  await page.goto('/dashboard/summary', { waitUntil: 'commit' })
  const first = ['/api/user/me', '/api/user/servers', '/api/balance']
  await expect.poll(() => first.filter((path) => asked.includes(path))).toEqual(first)
  letScriptsGo()
  await allArrived(page)
  const timesOf = (path: string) => asked.filter((one) => one === path).length
  for (const path of ['/api/user/servers', '/api/balance']) expect(timesOf(path), path).toBe(1)
  // The realtime link checks the session before it connects.
  expect(timesOf('/api/user/me')).toBeLessThanOrEqual(2)
})

test('no page of dashboard and panel preloads a style sheet that it does not use', async ({ page, demo }) => {
  test.setTimeout(180_000)
  const [warnings, unused]: [string[], string[]] = [[], []]
  page.on('console', (message) => {
    if (/preloaded using link preload but not used/.test(message.text())) warnings.push(message.text())
  })
  await signInByApi(page, demo.customer)
  for (const path of [
    '/dashboard/summary',
    '/dashboard/servers',
    '/dashboard/balance/summary',
    '/dashboard/settings',
  ]) {
    await page.goto(path)
    await allArrived(page)
    // The browser says so a few seconds after the page has loaded.
    await page.waitForTimeout(4_500)
    // On a slow machine it says so of a sheet that the page takes into use later.
    const used = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href))
    unused.push(
      ...warnings.splice(0).filter((warning) => !used.some((href) => href !== null && warning.includes(href))),
    )
  }
  expect(unused).toEqual([])
})
