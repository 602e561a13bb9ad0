import { randomBytes, randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import * as z from 'zod'

import { Balance, TopupAnswer } from '../../src/contracts/http/balance.ts'
import { OrderAnswer } from '../../src/contracts/http/order.ts'
import { Server } from '../../src/contracts/http/server.ts'
import { Service, type ResourceChoice } from '../../src/contracts/http/service.ts'
import { mailedCode } from './demo-mail.ts'
import { hydrated } from './hydrated.ts'
import { postFromOwnAddress } from './own-address.ts'

export interface NewCustomer {
  username: string
  password: string
}

/** A unique name, so that tests share a demo without conflicts. */
export function newCustomer(): NewCustomer {
  const mark = randomBytes(4).toString('hex')
  return { username: `player-${mark}`, password: `long enough ${mark}` }
}

const readWith = (page: Page) => async (path: string) => (await page.request.get(path)).text()

/**
 * Fills in the registration form and the code from the mail; the site signs the new customer in and shows the
 * top-up.
 */
export async function register(page: Page): Promise<NewCustomer> {
  const customer = newCustomer()
  await page.goto('/en/auth/register')
  await hydrated(page)
  await page.getByLabel('Username', { exact: true }).fill(customer.username)
  await page.getByLabel(/^E.mail address/).fill(`${customer.username}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(customer.password)
  await page.getByLabel('Repeat password', { exact: true }).fill(customer.password)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Register' }).click()
  await page.waitForURL(/\/auth\/verify/)
  await page
    .getByLabel('Code', { exact: true })
    .fill(await mailedCode(readWith(page), `${customer.username}@example.com`))
  await page.waitForURL(/\/dashboard\/balance\/summary/)
  await expect(page.getByRole('button', { name: `account: ${customer.username}` })).toBeVisible()
  return customer
}

const siteOf = async (page: Page): Promise<string> => new URL((await page.request.get('/en')).url()).origin

/** Creates an account without its form. Its address is unconfirmed, and nobody is signed in. */
export async function registerByApi(page: Page): Promise<NewCustomer> {
  const customer = newCustomer()
  const data = {
    ...customer,
    email: `${customer.username}@example.com`,
    passwordConfirm: customer.password,
    acceptTerms: true,
  }
  const answer = await postFromOwnAddress(`${await siteOf(page)}/api/auth/register`, data)
  expect(answer.status, answer.text).toBe(201)
  return customer
}

type Call = (path: string, data: object) => Promise<unknown>

/** Calls the site in the browser's session, and expects success. */
const callerOf = async (page: Page): Promise<Call> => {
  const origin = await siteOf(page)
  return async (path, data) => {
    const answer = await page.request.post(path, { headers: { origin, 'idempotency-key': randomUUID() }, data })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
    return (await answer.json()) as unknown
  }
}

/** Renews the browser's session, whose access token lasts 15 minutes. */
export async function renewSession(page: Page): Promise<void> {
  const call = await callerOf(page)
  await call('/api/auth/refresh', {})
}

/** Signs the browser in without the form, from a separate address; it stays on its page. */
export async function signInByApi(page: Page, customer: NewCustomer): Promise<void> {
  const { username, password } = customer
  const site = await siteOf(page)
  const userAgent = await page.evaluate(() => navigator.userAgent)
  const answer = await postFromOwnAddress(`${site}/api/auth/login`, { username, password }, userAgent)
  expect(answer.status, answer.text).toBe(200)
  await page
    .context()
    .addCookies(answer.cookies.filter((line) => !/max-age=0(;|$)/i.test(line)).map((line) => cookieOf(site, line)))
}

/** A `Set-Cookie` of the site in the form of a browser context. */
function cookieOf(site: string, line: string): Parameters<ReturnType<Page['context']>['addCookies']>[0][number] {
  const [pair = '', ...attributes] = line.split('; ')
  const at = pair.indexOf('=')
  const told = new Map(attributes.map((one) => [one.split('=')[0]?.toLowerCase() ?? '', one.split('=')[1] ?? '']))
  const maxAge = told.get('max-age')
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    domain: new URL(site).hostname,
    path: told.get('path') ?? '/',
    httpOnly: told.has('httponly'),
    secure: told.has('secure'),
    sameSite: /strict/i.test(told.get('samesite') ?? '') ? 'Strict' : 'Lax',
    ...(maxAge === undefined ? {} : { expires: Math.floor(Date.now() / 1000) + Number(maxAge) }),
  }
}

/**
 * Creates an account without its form, signs the browser in and confirms the address, for tests that start after that. `codeFor` reads the code
 * that was mailed to an address, by default from the demo's own mailbox.
 */
export async function arrive(
  page: Page,
  codeFor = (email: string) => mailedCode(readWith(page), email),
): Promise<NewCustomer> {
  const customer = await registerByApi(page)
  await signInByApi(page, customer)
  const call = await callerOf(page)
  await call('/api/auth/verify', { code: await codeFor(`${customer.username}@example.com`) })
  return customer
}

/** Signs in through the form. */
export async function signIn(page: Page, customer: NewCustomer): Promise<void> {
  await page.goto('/en/auth/login')
  await hydrated(page)
  await page.getByLabel(/^Username or e.mail address/).fill(customer.username)
  await page.getByLabel('Password', { exact: true }).fill(customer.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/dashboard\/summary/)
}

/** Tops up through the balance page and the sandbox provider's page, and waits for the money. */
export async function topUp(page: Page, amountFt: number): Promise<void> {
  await page.goto('/dashboard/balance/summary')
  await page.getByLabel('Amount', { exact: true }).fill(String(amountFt))
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL(/\/dashboard\/balance\/ok/)
  await expect(page.getByText(/added to your balance\./)).toBeVisible()
}

export interface Rental {
  /** The slug of the service. */
  service: string
  name: string
  price: RegExp
}

/** Rents the smallest package in the rent flow and returns the server's id once its console is open. */
export async function rent(page: Page, rental: Rental): Promise<string> {
  await page.goto(`/dashboard/services/game?rent=${rental.service}`)
  await page.getByLabel('Server name').fill(rental.name)
  const price = page.getByRole('region', { name: 'Price' })
  await page.getByRole('radio', { name: 'Small' }).check()
  await expect(price.getByText('To pay').locator('..')).toContainText(rental.price)
  await page.getByRole('button', { name: 'Order and pay' }).click()
  await page.waitForURL(/\/panel\/[^/]+\/console/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(rental.name)
  return /\/panel\/([^/]+)\/console/.exec(page.url())?.[1] ?? ''
}

/** Types a line into the console's command line and sends it. */
export async function sendCommand(page: Page, command: string): Promise<void> {
  await page.getByLabel('Send a command to the server').fill(command)
  await page.keyboard.press('Enter')
}

/**
 * Registers, tops up and rents the bot through the API alone, in its smallest package or in a custom size; returns the
 * customer and the server's id.
 */
export async function rentByApi(
  page: Page,
  name = 'Watchman',
  resources?: ResourceChoice,
): Promise<NewCustomer & { serverId: string }> {
  const customer = await arrive(page)
  return { ...customer, serverId: await rentFor(page, name, resources) }
}

/** Tops up and rents the bot for whoever is signed in and has no money yet; returns the server's id. */
export async function rentFor(page: Page, name: string, resources?: ResourceChoice): Promise<string> {
  const call = await callerOf(page)
  const { redirectUrl } = TopupAnswer.parse(
    await call('/api/balance/topup', { amount: 5_000, method: 'sandbox', acceptTerms: true }),
  )
  const { origin } = new URL(redirectUrl)
  await page.request.post(redirectUrl, { headers: { origin }, form: { decision: 'succeed' } })
  await expect
    .poll(async () => Balance.safeParse(await (await page.request.get('/api/balance')).json()).data?.balanceFt)
    .toBe(5_000)
  return orderBot(page, name, resources)
}

/** The word of a server for one that waits for it: a site that is too busy to say it has none. */
export const statusOfServer = async (page: Page, id: string): Promise<Server['status'] | undefined> =>
  Server.safeParse(await (await page.request.get(`/api/server/${id}`)).json()).data?.status

/** Rents the bot from the balance of whoever is signed in; returns the server's id. */
export async function orderBot(page: Page, name: string, resources?: ResourceChoice): Promise<string> {
  const call = await callerOf(page)
  const services = z.array(Service).parse(await (await page.request.get('/api/services')).json())
  const bot = services.find(({ slug }) => slug === 'bot')
  const size = resources === undefined ? { packageId: bot?.packages[0]?.id } : { resources }
  const order = { serviceId: bot?.id, ...size, months: 1, name }
  return OrderAnswer.parse(await call('/api/orders', order)).server.id
}
