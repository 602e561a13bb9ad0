import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium, type Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCALES, type Locale } from '#contracts/locale.ts'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { paymentRoutes } from '../../factories/payment-routes.ts'
import { paymentProviders } from '../../../control-plane/money/payments/providers/catalog.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, orderContext, shopDatabase } from '../../factories/shop.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'
import { HEADLESS_SHELL } from '../../support/chromium.ts'

let database: ControlDatabase
let browser: Browser
let till: Server
let site: Server

const listen = (server: Server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function context() {
  const settings = { mode: 'demo', methods: ['sandbox'], publicUrl: urlOf(till) } as const
  return paymentContext(database.db, { providers: paymentProviders(orderContext(database.db), settings) })
}

beforeAll(async () => {
  database = await shopDatabase()
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Site</title>')
  })
  let listener: ReturnType<typeof getRequestListener> | undefined
  till = createServer((request, response) => void listener?.(request, response))
  await Promise.all([listen(site), listen(till)])
  const routes = paymentRoutes({
    context: context(),
    providers: context().providers,
    onHint: (hint) => receiveHint(context(), hint),
  })
  listener = getRequestListener(routes.fetch)
  browser = await chromium.launch({ executablePath: HEADLESS_SHELL, args: ['--no-sandbox', '--disable-gpu'] })
})
afterAll(async () => {
  await browser.close()
  for (const server of [site, till]) await new Promise((done) => server.close(done))
  await database.close()
})

async function openedPage(locale: Locale) {
  const user = systemIds.next()
  const command = topUpCommand(user)
  const started = await startTopUp(context(), {
    ...command,
    caller: { ...command.caller, locale },
    returnUrl: `${urlOf(site)}/dashboard/balance/ok`,
  })
  if (!started.ok) throw new Error(started.code)
  const page = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(started.answer.redirectUrl)
  return { user, page, complaints }
}

describe('the sandbox page in Chromium', () => {
  it.each(LOCALES)('axe finds nothing on the sandbox page, open or decided: %s', async (locale) => {
    const { page, complaints } = await openedPage(locale)
    const address = page.url()
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    await page.click('button[value=succeed]')
    await page.waitForURL(/balance\/ok/)
    await page.goto(address)
    expect(await page.locator('button').count()).toBe(0)
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('paying returns to the site with the money in the wallet', async () => {
    const { user, page } = await openedPage('en')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/dashboard\/balance\/ok\?transaction=[0-9a-f-]+&result=success$/)
    expect(await balanceOf(database.db, user)).toMatchObject({ money: 5000n })
    await page.context().close()
  })

  it('a form of another site is refused', async () => {
    const { user, page } = await openedPage('en')
    const address = page.url()
    await page.goto(urlOf(site))
    await page.setContent(
      `<form method="post" action="${address}"><button name="decision" value="succeed">Win</button></form>`,
    )
    const answered = page.waitForResponse((response) => response.url() === address)
    await page.click('button')
    expect((await answered).status()).toBe(403)
    expect(await balanceOf(database.db, user)).toMatchObject({ money: 0n })
    await page.context().close()
  })
})
