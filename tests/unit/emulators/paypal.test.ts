import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startPaypal, type PaypalEmulator } from '../../emulators/paypal/paypal-server.ts'
import { openApiContract, problemsOf } from '../../support/published-schemas.ts'

const orders = openApiContract('paypal-checkout_orders_v2.json')
const payments = openApiContract('paypal-payments_payment_v2.json')
const webhooks = openApiContract('paypal-notifications_webhooks_v1.json')
const options = { clientId: 'client', clientSecret: 'secret', webhookId: '1JE4291016473214C' }
const money = (value: string, currency = 'HUF') => ({ currency_code: currency, value })
const wish = (value = '1990') => ({
  intent: 'CAPTURE',
  purchase_units: [{ custom_id: 'p1', invoice_id: 'p1', amount: money(value) }],
  payment_source: {
    paypal: { experience_context: { return_url: 'http://site.test/ok', cancel_url: 'http://site.test/no' } },
  },
})

let emulator: PaypalEmulator
let token: string
type Answer = { status: number; body: Record<string, unknown> }
const call = async (method: string, path: string, body?: unknown, key?: string): Promise<Answer> => {
  const headers = { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'paypal-request-id': key }) }
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const answer = await fetch(`${emulator.url}${path}`, { method, headers, ...sent })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

beforeEach(async () => {
  emulator = await startPaypal(options)
  const authorization = `Basic ${Buffer.from('client:secret').toString('base64')}`
  const body = new URLSearchParams({ grant_type: 'client_credentials' })
  const answer = await fetch(`${emulator.url}/v1/oauth2/token`, { method: 'POST', headers: { authorization }, body })
  token = ((await answer.json()) as { access_token: string }).access_token
})
afterEach(() => emulator.close())

const create = async (key = 'k1', value?: string) => call('POST', '/v2/checkout/orders', wish(value), key)
const idOf = ({ body }: Answer): string => String(body['id'])
const capture = (id: string, key: string) => call('POST', `/v2/checkout/orders/${id}/capture`, {}, key)
const issueOf = ({ status, body }: Answer) => [status, (body['details'] as { issue: string }[] | undefined)?.[0]?.issue]

describe('the emulated PayPal and its published contract', () => {
  it('answers every call as the contract says', async () => {
    const created = await create()
    const id = idOf(created)
    const early = await capture(id, 'c0')
    emulator.books.approve(id, 'paid')
    const captured = await capture(id, 'c1')
    const [made] = [...emulator.books.captures.keys()]
    const read = await call('GET', `/v2/payments/captures/${made}`)
    const refund = await call('POST', `/v2/payments/captures/${made}/refund`, { amount: money('90') }, 'r1')
    const looked = await call('GET', `/v2/checkout/orders/${id}`)
    const absent = await call('GET', '/v2/checkout/orders/0')
    expect([
      ...problemsOf(orders, 'order', created.body),
      ...problemsOf(orders, 'error_422', early.body),
      ...problemsOf(orders, 'orders.capture-422', early.body),
      ...problemsOf(orders, 'order', captured.body),
      ...problemsOf(payments, 'capture-2', read.body),
      ...problemsOf(payments, 'refund', refund.body),
      ...problemsOf(orders, 'order', looked.body),
      ...problemsOf(orders, 'error_404', absent.body),
      ...problemsOf(orders, '404', absent.body),
      ...emulator.events.flatMap((event) => problemsOf(webhooks, 'event', event)),
    ]).toEqual([])
    expect(problemsOf(orders, 'order_request', wish())).toEqual([])
  })

  it('T14: has no decimals of forints, not even zeros', async () => {
    expect(issueOf(await create('a', '1990.00'))).toEqual([422, 'DECIMALS_NOT_SUPPORTED'])
    expect(issueOf(await create('b', '0'))).toEqual([422, 'DECIMALS_NOT_SUPPORTED'])
    expect((await create('c', '1990')).status).toBe(200)
  })

  it('asks for a request id and answers a repeated one with the same order', async () => {
    const without = await call('POST', '/v2/checkout/orders', wish())
    expect(issueOf(without)).toEqual([400, 'PAYPAL_REQUEST_ID_REQUIRED'])
    const first = await create()
    expect(idOf(await create())).toBe(idOf(first))
    emulator.pruneKeys()
    expect(idOf(await create())).not.toBe(idOf(first))
  })

  it.each([
    ['paid', 'COMPLETED'],
    ['pending', 'PENDING'],
    ['declined', 'DECLINED'],
  ] as const)('captures an order that is %s as %s', async (conduct, status) => {
    const id = idOf(await create())
    expect(emulator.books.approve(id, conduct).href).toContain(`token=${id}`)
    const { body } = await capture(id, 'c1')
    expect(body['status']).toBe('COMPLETED')
    expect([...emulator.books.captures.values()].map((one) => one.status)).toEqual([status])
  })

  it('refuses a capture before the approval, a declined card, and a second capture', async () => {
    const id = idOf(await create())
    expect(issueOf(await capture(id, 'c0'))).toEqual([422, 'ORDER_NOT_APPROVED'])
    emulator.books.approve(id, 'instrument declined')
    expect(issueOf(await capture(id, 'c1'))).toEqual([422, 'INSTRUMENT_DECLINED'])
    emulator.books.approve(id, 'paid')
    // A repeated request id answers what it answered before.
    expect(issueOf(await capture(id, 'c1'))).toEqual([422, 'INSTRUMENT_DECLINED'])
    expect((await capture(id, 'c2')).status).toBe(201)
    expect(issueOf(await capture(id, 'c3'))).toEqual([422, 'ORDER_ALREADY_CAPTURED'])
  })
})

describe("the emulated PayPal's events", () => {
  const verify = async (body: string, headers: Readonly<Record<string, string>>) => {
    const proof = {
      auth_algo: headers['paypal-auth-algo'],
      cert_url: headers['paypal-cert-url'],
      transmission_id: headers['paypal-transmission-id'],
      transmission_sig: headers['paypal-transmission-sig'],
      transmission_time: headers['paypal-transmission-time'],
      webhook_id: options.webhookId,
    }
    const sent = `${JSON.stringify(proof).slice(0, -1)},"webhook_event":${body}}`
    expect(problemsOf(webhooks, 'verify_webhook_signature', JSON.parse(sent))).toEqual([])
    return (await call('POST', '/v1/notifications/verify-webhook-signature', sent)).body['verification_status']
  }

  it('are its own when nothing was changed', async () => {
    emulator.books.approve(idOf(await create()), 'paid')
    const [event] = emulator.events
    if (!event) throw new Error('no event')
    const { body, headers } = emulator.message(event)
    expect(await verify(body, headers)).toBe('SUCCESS')
    expect(await verify(body.replace('APPROVED', 'COMPLETED'), headers)).toBe('FAILURE')
    expect(await verify(JSON.stringify(JSON.parse(body), null, 1), headers)).toBe('FAILURE')
    expect(await verify(body, { ...headers, 'paypal-transmission-id': 'b3bf4e7a-000009' })).toBe('FAILURE')
  })

  it('need somebody who has a token', async () => {
    token = 'none'
    expect((await call('GET', '/v2/checkout/orders/0')).status).toBe(401)
  })
})
