import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { publicApp } from '../../../control-plane/api/gateway/public-app.ts'
import { paymentRoutes } from '../../factories/payment-routes.ts'
import { paymentProviders, refusePaymentMethods } from '../../../control-plane/money/payments/providers/catalog.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, shopDatabase } from '../../factories/shop.ts'
import { paymentContext, PUBLIC_URL, topUpCommand } from '../../factories/till.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
})
afterAll(() => database.close())

function routes() {
  const context = paymentContext(database.db)
  return paymentRoutes({ context, providers: context.providers, onHint: (hint) => receiveHint(context, hint) })
}

async function openPayment(userId = systemIds.next()) {
  const result = await startTopUp(paymentContext(database.db), topUpCommand(userId))
  if (!result.ok) throw new Error(result.code)
  return { userId, path: new URL(result.answer.redirectUrl).pathname }
}

const post = (path: string, decision: string, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) =>
  routes().request(`${PUBLIC_URL}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'pay.test', ...headers },
    body: new URLSearchParams({ decision }),
  })

describe('the sandbox page', () => {
  it('the sandbox page shows the amount and the four buttons in the customer’s language, under a strict policy', async () => {
    const { path } = await openPayment()
    const answer = await routes().request(`${PUBLIC_URL}${path}`)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(html).toContain('<html lang="hu">')
    expect(html).toContain('5\u00a0000\u00a0Ft')
    for (const word of ['Fizetés', 'Sikertelen fizetés', 'Mégse', 'Később döntök']) expect(html).toContain(word)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' http:\/\/site\.test; /)
    expect(policy).not.toMatch(/unsafe|script-src/)
    expect(html).not.toMatch(/<script|style=|onclick/)
  })

  it('its form sends its origin, even if browsers send only the origin', async () => {
    const { path } = await openPayment()
    const { clock, log } = paymentContext(database.db)
    const app = publicApp({ clock, log, payments: routes(), enrol: () => Promise.reject(new Error('not called')) })
    const policyOf = async (asked: string) =>
      (await app.request(`${PUBLIC_URL}${asked}`, {}, { address: '127.0.0.1' })).headers.get('referrer-policy')
    // Under `no-referrer` a form is sent with `Origin: null`.
    expect(await policyOf(path)).toBe('same-origin')
    expect(await policyOf('/nothing')).toBe('no-referrer')
  })

  it.each([
    ['succeed', 'success', 5000n],
    ['fail', 'failed', 0n],
    ['cancel', 'cancelled', 0n],
    ['wait', 'processing', 0n],
  ])('"%s" returns to the site with result %s', async (decision, result, money) => {
    const { path, userId } = await openPayment()
    const answer = await post(path, decision)
    expect(answer.status).toBe(303)
    const target = new URL(answer.headers.get('location') ?? '')
    expect(`${target.origin}${target.pathname}`).toBe('http://site.test/dashboard/balance/ok')
    expect(target.searchParams.get('result')).toBe(result)
    expect((await balanceOf(database.db, userId)).money).toBe(money)
  })

  it('an earlier decision is returned unchanged', async () => {
    const { path, userId } = await openPayment()
    await post(path, 'cancel')
    const answer = await post(path, 'succeed')
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('result')).toBe('cancelled')
    expect((await balanceOf(database.db, userId)).money).toBe(0n)
  })

  it.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin', { origin: 'http://evil.test' }],
    ['nobody', {}],
  ])('a decision sent by %s is refused', async (_name, headers) => {
    const { path, userId } = await openPayment()
    expect((await post(path, 'succeed', headers)).status).toBe(403)
    expect((await balanceOf(database.db, userId)).money).toBe(0n)
  })

  it.each(['0'.repeat(48), 'x', '..%2f..', `${'0'.repeat(47)}'`])('the unknown id %s gets 404', async (id) => {
    const answer = await routes().request(`${PUBLIC_URL}/payments/sandbox/${id}`, {
      headers: { 'accept-language': 'de' },
    })
    expect(answer.status).toBe(404)
    expect((await post(`/payments/sandbox/${id}`, 'succeed')).status).toBe(404)
  })

  it('an unknown decision is refused', async () => {
    const { path, userId } = await openPayment()
    expect((await post(path, 'refund')).status).toBe(403)
    expect((await balanceOf(database.db, userId)).money).toBe(0n)
    // Nothing is decided yet.
    const answer = await post(path, 'succeed')
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('result')).toBe('success')
  })

  it('a webhook is treated as a hint and reveals nothing to a stranger', async () => {
    const hook = async (body: string) => {
      const answer = await routes().request(`${PUBLIC_URL}/payments/webhooks/sandbox`, { method: 'POST', body })
      return answer.status
    }
    const { path, userId } = await openPayment()
    expect(await hook(JSON.stringify({ paymentId: path.split('/').at(-1), state: 'succeeded', amount: 1e9 }))).toBe(200)
    expect(await hook(JSON.stringify({ paymentId: 'a'.repeat(48) }))).toBe(200)
    expect(await hook('{')).toBe(400)
    expect((await balanceOf(database.db, userId)).money).toBe(0n)
  })
})

describe('payment methods', () => {
  const settings = { publicUrl: PUBLIC_URL, methods: ['sandbox'] }

  it('production refuses the sandbox before anything starts', () => {
    expect(refusePaymentMethods({ mode: 'production', methods: ['sandbox'] })).toMatch(/refused in production/)
    expect(() => paymentProviders(paymentContext(database.db), { ...settings, mode: 'production' })).toThrow(/sandbox/)
    expect(refusePaymentMethods({ mode: 'demo', methods: ['sandbox'] })).toBeUndefined()
    expect(refusePaymentMethods({ mode: 'demo', methods: ['constructor'] })).toMatch(/does not exist/)
  })

  it('no sandbox page is served while it is switched off', async () => {
    const context = paymentContext(database.db, { providers: { all: [], find: () => undefined } })
    const off = paymentRoutes({ context, providers: context.providers, onHint: () => Promise.resolve() })
    const { path, userId } = await openPayment()
    expect((await off.request(`${PUBLIC_URL}${path}`)).status).toBe(404)
    const body = new URLSearchParams({ decision: 'succeed' })
    const headers = { 'sec-fetch-site': 'same-origin', host: 'pay.test' }
    expect((await off.request(`${PUBLIC_URL}${path}`, { method: 'POST', headers, body })).status).toBe(404)
    expect((await balanceOf(database.db, userId)).money).toBe(0n)
  })
})
