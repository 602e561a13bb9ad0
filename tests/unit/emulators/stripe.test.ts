import { Stripe } from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startStripe, type StripeEmulator } from '../../emulators/stripe/stripe-server.ts'
import { problemsOf, sampleContract } from '../../support/published-schemas.ts'

const contract = sampleContract('stripe-fixtures.json')
const options = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecrets: ['whsec_one', 'whsec_two'] }
const wish = {
  amount: 199_000,
  currency: 'huf',
  automatic_payment_methods: { enabled: true },
  metadata: { payment_id: 'p1' },
}

let emulator: StripeEmulator
let stripe: Stripe
beforeEach(async () => {
  emulator = await startStripe(options)
  const { hostname, port } = new URL(emulator.url)
  const httpClient = Stripe.createFetchHttpClient()
  stripe = new Stripe(options.secretKey, { host: hostname, port, protocol: 'http', httpClient, maxNetworkRetries: 0 })
})
afterEach(() => emulator.close())

const confirm = (id: string, method: string) =>
  stripe.paymentIntents.confirm(id, { payment_method: method, return_url: 'http://site.test/back' })
const problemOf = async (work: Promise<unknown>): Promise<Record<string, unknown>> =>
  work.then(
    () => ({}),
    (error: unknown) => ({ ...(error as Stripe.errors.StripeError) }),
  )

describe('the emulated Stripe and its published samples', () => {
  it('answers every object with all keys of its sample', async () => {
    const created = await stripe.paymentIntents.create(wish)
    const paid = await confirm(created.id, 'pm_card_visa')
    const expanded = await stripe.paymentIntents.retrieve(created.id, { expand: ['latest_charge'] })
    const refund = await stripe.refunds.create({ payment_intent: paid.id, amount: 100 })
    const dispute = emulator.books.dispute(paid.id, 'needs_response')
    const problems = [
      ...problemsOf(contract, 'payment_intent', created),
      ...problemsOf(contract, 'payment_intent', paid),
      ...problemsOf(contract, 'refund', refund),
      ...problemsOf(contract, 'dispute', dispute),
      ...emulator.events.flatMap((event) => problemsOf(contract, 'event', event)),
    ]
    // The sample of a charge holds its refunds, which later versions of the interface leave out.
    const ofCharge = problemsOf(contract, 'charge', expanded.latest_charge).filter(
      (line) => !line.includes("'refunds'"),
    )
    expect([...problems, ...ofCharge]).toEqual([])
  })

  it('T14: takes forints with two decimals that are zero, and no charge below 175 Ft', async () => {
    expect((await stripe.paymentIntents.create(wish)).amount).toBe(199_000)
    expect(await problemOf(stripe.paymentIntents.create({ ...wish, amount: 199_050 }))).toMatchObject({
      param: 'amount',
    })
    expect(await problemOf(stripe.paymentIntents.create({ ...wish, amount: 1_990 }))).toMatchObject({
      code: 'amount_too_small',
    })
  })

  it('refuses a parameter that the call does not have', async () => {
    const misspelt = { ...wish, metdata: {} } as Stripe.PaymentIntentCreateParams
    expect(await problemOf(stripe.paymentIntents.create({ ...misspelt, capture: '1' } as never))).toMatchObject({
      code: 'parameter_unknown',
    })
  })

  it('lets a declined intent be paid with another card', async () => {
    const { id } = await stripe.paymentIntents.create(wish)
    expect(await problemOf(confirm(id, 'pm_card_chargeDeclined'))).toMatchObject({
      code: 'card_declined',
      statusCode: 402,
    })
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('requires_payment_method')
    expect((await confirm(id, 'pm_card_visa')).status).toBe('succeeded')
    expect(emulator.events.map(({ type }) => type)).toEqual([
      'payment_intent.created',
      'payment_intent.payment_failed',
      'payment_intent.succeeded',
    ])
  })

  it('asks for 3-D Secure on a page of its own, and comes back with the answer', async () => {
    const { id, client_secret: secret } = await stripe.paymentIntents.create(wish)
    const asking = await confirm(id, 'pm_card_authenticationRequired')
    expect(asking.status).toBe('requires_action')
    const url = asking.next_action?.redirect_to_url?.url ?? ''
    expect(await (await fetch(url)).text()).toContain('Complete')
    const body = new URLSearchParams({ answer: 'yes' })
    const answered = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    const back = new URL(answered.headers.get('location') ?? '')
    expect(Object.fromEntries(back.searchParams)).toEqual({
      payment_intent: id,
      payment_intent_client_secret: secret,
      redirect_status: 'succeeded',
    })
  })
})

describe("the emulated Stripe's keys", () => {
  const key = { idempotencyKey: 'k1' }

  it('gives the same answer for the same parameters, an error for others, and forgets when pruned', async () => {
    const first = await stripe.paymentIntents.create(wish, key)
    expect((await stripe.paymentIntents.create(wish, key)).id).toBe(first.id)
    expect(await problemOf(stripe.paymentIntents.create({ ...wish, amount: 299_000 }, key))).toMatchObject({
      type: 'StripeIdempotencyError',
    })
    expect(emulator.books.intents.size).toBe(1)
    emulator.pruneKeys()
    expect((await stripe.paymentIntents.create(wish, key)).id).not.toBe(first.id)
  })

  it('says 409 while the first call is at work', async () => {
    emulator.set('held')
    // It is never answered: the end of the emulator ends it.
    stripe.paymentIntents.create(wish, key).catch(() => undefined)
    await expect.poll(() => emulator.calls.length).toBe(1)
    emulator.set('nothing')
    expect(await problemOf(stripe.paymentIntents.create(wish, key))).toMatchObject({
      code: 'idempotency_key_in_use',
      statusCode: 409,
    })
  })

  it('keeps a 500 of the work, and not one from before it', async () => {
    emulator.set('broken')
    expect(await problemOf(stripe.paymentIntents.create(wish, key))).toMatchObject({ statusCode: 500 })
    emulator.set('nothing')
    expect(await problemOf(stripe.paymentIntents.create(wish, key))).toMatchObject({ statusCode: 500 })
    emulator.set('down')
    expect(await problemOf(stripe.paymentIntents.create(wish, { idempotencyKey: 'k2' }))).toMatchObject({
      statusCode: 500,
    })
    emulator.set('nothing')
    expect((await stripe.paymentIntents.create(wish, { idempotencyKey: 'k2' })).status).toBe('requires_payment_method')
  })
})

describe("the emulated Stripe's events", () => {
  it('signs them as the library reads them, with each secret', async () => {
    await stripe.paymentIntents.create(wish)
    const [event] = emulator.events
    if (!event) throw new Error('no event')
    const { body, headers } = emulator.message(event)
    for (const secret of options.webhookSecrets) {
      expect(stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', secret).id).toBe(event.id)
    }
    expect(() => stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', 'whsec_other')).toThrow(
      'signature',
    )
  })

  it('shows the browser nothing but what its own key and secret open', async () => {
    const { id } = await stripe.paymentIntents.create(wish)
    const asBrowser = { headers: { authorization: `Bearer ${options.publishableKey}` } }
    expect((await fetch(`${emulator.url}/v1/payment_intents/${id}?client_secret=wrong`, asBrowser)).status).toBe(404)
    expect((await fetch(`${emulator.url}/v1/refunds?payment_intent=${id}`, asBrowser)).status).toBe(404)
    expect((await fetch(`${emulator.url}/v1/refunds?payment_intent=${id}`)).status).toBe(401)
  })
})
