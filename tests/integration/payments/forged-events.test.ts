import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { stripeHints } from '../../../control-plane/money/payments/providers/stripe/stripe-hints.ts'
import { systemIds } from '#platform/ids.ts'
import { signedMessage } from '../../emulators/stripe/stripe-webhooks.ts'
import { STRIPE_KEYS } from '../../factories/card-providers.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { barionRig, type BarionRig } from '../../factories/provider-rigs.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { signedProviders, type Post } from '../../factories/signed-providers.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase(40)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

describe('case 60: forged or outdated webhooks', () => {
  let rig: Awaited<ReturnType<typeof signedProviders>>
  beforeEach(async () => {
    rig = await signedProviders(() => database)
  })
  afterEach(() => rig.close())

  /** Each is refused with 400 and leaves no row; afterwards the genuine one is taken. */
  async function expectRefused(
    method: string,
    {
      forged,
      genuine,
      userId,
      credited,
    }: { forged: [string, Post][]; genuine: Post; userId: string; credited: bigint },
  ) {
    const before = await rig.till.everything()
    for (const [what, message] of forged) {
      expect([what, await rig.post(method, message)]).toEqual([what, 400])
      expect([what, await rig.till.everything()]).toEqual([what, before])
    }
    expect(await rig.till.money(userId)).toBe(0n)
    expect(await rig.post(method, genuine)).toBe(200)
    expect(await rig.till.money(userId)).toBe(credited)
  }

  async function paidAtStripe() {
    const { userId, providerPaymentId } = await rig.till.open({ method: 'stripe' })
    rig.stripe.books.confirm(providerPaymentId, 'pm_card_visa', 'http://site.test/back')
    const event = rig.stripe.events.findLast(({ type }) => type === 'payment_intent.succeeded')
    if (!event) throw new Error('no event')
    return { userId, event }
  }

  it('case 60: forged Stripe webhooks get 400 and leave no row', async () => {
    const { userId, event } = await paidAtStripe()
    const genuine = rig.stripe.message(event)
    const { 'stripe-signature': signature = '', ...unsigned } = genuine.headers
    const signedAs = (header: string): Post => ({ ...genuine, headers: { ...unsigned, 'stripe-signature': header } })
    const ours = { secrets: STRIPE_KEYS.webhookSecrets, atS: START_MS / 1000 }
    const resigned = (changes: object) => signedMessage({ ...event, ...changes }, ours.secrets, ours.atS)
    const wrong = `v1=${'a'.repeat(64)}`
    const forged: [string, Post][] = [
      ['no signature', { ...genuine, headers: unsigned }],
      ['an empty signature', signedAs('')],
      ['another secret', rig.stripe.message(event, { secrets: ['whsec_of_another_account'] })],
      ['301 s old', rig.stripe.message(event, { ageS: 301 })],
      ['a day old', rig.stripe.message(event, { ageS: 86_400 })],
      ['of 301 s to come', rig.stripe.message(event, { ageS: -301 })],
      ['of a year to come', rig.stripe.message(event, { ageS: -365 * 86_400 })],
      ['another amount', { ...genuine, body: genuine.body.replace('199000', '999000') }],
      ['other white space', { ...genuine, body: JSON.stringify(JSON.parse(genuine.body)) }],
      ['one byte more', { ...genuine, body: `${genuine.body} ` }],
      ['no body', { ...genuine, body: '' }],
      ['two signatures of nobody', signedAs(`t=${ours.atS},${wrong},${wrong.replaceAll('a', 'b')}`)],
      ['our signature under another time', signedAs(signature.replace(/t=\d+/, `t=${ours.atS - 1}`))],
      ['the older scheme alone', signedAs(signature.replace('v1=', 'v0='))],
      ['no time', signedAs(signature.replace(/t=\d+,/, ''))],
      ['a live event where tests are run', resigned({ livemode: true })],
      ['the event of another account', resigned({ account: 'acct_1OfSomebodyElse' })],
      ['no event at all', signedMessage([] as never, ours.secrets, ours.atS)],
    ]
    await expectRefused('stripe', { forged, genuine, userId, credited: 1990n })
  })

  it('case 60: a Stripe test event is refused where payments are live', async () => {
    const { event } = await paidAtStripe()
    const live = { ...STRIPE_KEYS, secretKey: 'sk_live_emulated_0000', apiUrl: rig.stripe.url, scriptUrl: '' }
    const request = (livemode: boolean) => {
      const { body, headers } = signedMessage({ ...event, livemode }, live.webhookSecrets, START_MS / 1000)
      return { body, headers, query: {} }
    }
    expect(stripeHints(request(false), live, START_MS)).toEqual({ ok: false })
    expect(stripeHints(request(true), live, START_MS)).toMatchObject({ ok: true, hints: [{ eventId: event.id }] })
  })

  it('case 60: one valid signature of two is enough during a rotation', async () => {
    const { userId, event } = await paidAtStripe()
    expect(
      await rig.post('stripe', rig.stripe.message(event, { secrets: ['whsec_x', ...STRIPE_KEYS.webhookSecrets] })),
    ).toBe(200)
    expect(await rig.till.money(userId)).toBe(1990n)
  })

  it('case 60: forged PayPal webhooks get 400 and leave no row', async () => {
    const { userId, providerPaymentId } = await rig.till.open({ method: 'paypal' })
    rig.paypal.books.approve(providerPaymentId, 'paid')
    const [event] = rig.paypal.events
    if (!event) throw new Error('no event')
    const genuine = rig.paypal.message(event)
    const { body, headers } = genuine
    const without = (name: string): Post => ({
      body,
      headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)),
    })
    const withHeader = (name: string, value: string): Post => ({ body, headers: { ...headers, [name]: value } })
    const forged: [string, Post][] = [
      ...Object.keys(headers)
        .filter((name) => name.startsWith('paypal-'))
        .map((name): [string, Post] => [`no ${name}`, without(name)]),
      ['another signature', withHeader('paypal-transmission-sig', Buffer.from('nobody').toString('base64'))],
      ['another time', withHeader('paypal-transmission-time', '2027-06-01T00:00:00Z')],
      ['another transmission', withHeader('paypal-transmission-id', 'b3bf4e7a-999999')],
      ['another certificate', withHeader('paypal-cert-url', 'https://api.paypal.com.evil.test/cert')],
      ['an inner address', withHeader('paypal-cert-url', 'http://169.254.169.254/latest')],
      ['another body', { headers, body: body.replace('APPROVED', 'COMPLETED') }],
      ['other white space', { headers, body: JSON.stringify(JSON.parse(body), null, 1) }],
      ['no body', { headers, body: '' }],
    ]
    await expectRefused('paypal', { forged, genuine, userId, credited: 1990n })
  })

  it('case 60: forged phone messages get 400 and leave no row', async () => {
    const { userId, providerPaymentId: code } = await rig.till.open({ method: 'phone', amount: 1905 })
    const message = rig.phone().message({ messageId: `m-${systemIds.next()}`, text: `BAKTER ${code.toUpperCase()}` })
    const genuine = rig.phone().sign(message)
    const header = genuine.headers['x-signature'] ?? ''
    const signedAs = (value: string): Post => ({ body: genuine.body, headers: { 'x-signature': value } })
    const forged: [string, Post][] = [
      ['no signature', { body: genuine.body, headers: {} }],
      ['another secret', rig.phone().sign(message, { secrets: ['a secret that nobody agreed on, ever'] })],
      ['301 s old', rig.phone().sign(message, { atMs: START_MS - 301_000 })],
      ['of 301 s to come', rig.phone().sign(message, { atMs: START_MS + 301_000 })],
      ['two times', signedAs(`t=${START_MS / 1000},${header}`)],
      ['two signatures of nobody', signedAs(`${header.split(',')[0]},v1=${'a'.repeat(64)},v1=${'b'.repeat(64)}`)],
      ['the signature without its time', signedAs(header.replace(/t=\d+,/, ''))],
      ['another amount', { ...genuine, body: genuine.body.replace('800', '900') }],
    ]
    await expectRefused('phone', { forged, genuine, userId, credited: 800n })
  })
})

describe('case 64: unsigned callbacks of Barion', () => {
  let rig: BarionRig
  const till = tillOf(
    () => database,
    () => [rig.provider],
  )
  const hint = (paymentId: string, more = '') =>
    till.routes().request(`/payments/webhooks/barion?paymentId=${paymentId}${more}`, { method: 'POST' })
  const open = (amount: number) => till.open({ method: 'barion', amount })
  beforeEach(async () => {
    rig = await barionRig()
  })
  afterEach(() => rig.barion.close())

  it('case 64: another customer’s paid payment credits only that customer', async () => {
    const [payer, thief] = [await open(1000), await open(10_000)]
    rig.barion.decide(payer.providerPaymentId, 'succeed')
    // Barion's own state of the payment decides, not the text that a thief writes beside it.
    for (const more of [`&transaction=${thief.paymentId}`, `&PaymentId=${thief.providerPaymentId}`, '&Total=10000']) {
      await hint(payer.providerPaymentId, more)
    }
    expect(await till.money(payer.userId)).toBe(1000n)
    expect(await till.money(thief.userId)).toBe(0n)
    expect(await till.postings('top-up', payer.paymentId)).toHaveLength(1)
  })

  it('case 64: one’s own cancelled, refused, expired or unpaid payment credits nothing', async () => {
    for (const decision of ['cancel', 'fail', 'expire', 'wait'] as const) {
      const { userId, paymentId, providerPaymentId } = await open(10_000)
      rig.barion.decide(providerPaymentId, decision)
      for (let time = 0; time < 3; time += 1) await hint(providerPaymentId, '&Status=Succeeded')
      expect([decision, await till.money(userId)]).toEqual([decision, 0n])
      expect(await till.postings('top-up', paymentId)).toEqual([])
      expect(await till.unmatched(`payment_id = '${paymentId}'`)).toEqual([])
    }
  })

  it('case 64: a payment of 1 Ft for a top-up of 10 000 Ft is kept for staff', async () => {
    const { userId, paymentId, providerPaymentId } = await open(10_000)
    rig.barion.decide(providerPaymentId, 'succeed')
    rig.barion.tamper(providerPaymentId, { Total: 1 })
    await hint(providerPaymentId)
    expect(await till.money(userId)).toBe(0n)
    expect(await till.unmatched(`payment_id = '${paymentId}'`)).toMatchObject([
      { problem: 'AMOUNT_MISMATCH', state: 'open' },
    ])
  })

  it('case 64: a cheap payment that names an expensive one as its own credits neither', async () => {
    const [cheap, dear] = [await open(500), await open(10_000)]
    rig.barion.decide(cheap.providerPaymentId, 'succeed')
    rig.barion.tamper(cheap.providerPaymentId, { POSTransactionId: dear.paymentId })
    await hint(cheap.providerPaymentId)
    await hint(dear.providerPaymentId)
    expect([await till.money(cheap.userId), await till.money(dear.userId)]).toEqual([0n, 0n])
    expect(await till.unmatched(`payment_id = '${cheap.paymentId}'`)).toMatchObject([{ problem: 'REFERENCE_MISMATCH' }])
  })

  it('case 64: a payment at another shop is unknown to ours, and leaves no row', async () => {
    await open(10_000)
    const before = await till.everything()
    const other = await barionRig()
    const { providerPaymentId: id } = await other.provider.open({
      paymentId: systemIds.next(),
      attempt: 1,
      kind: 'redirect',
      locale: 'hu',
      returnUrl: 'http://site.test/back',
      amount: forints(10_000n),
      credited: forints(10_000n),
    })
    other.barion.decide(id, 'succeed')
    expect((await hint(id)).status).toBe(200)
    await other.barion.close()
    expect(await till.everything()).toEqual(before)
  })
})
