import { expect } from 'vitest'
import { PAYPAL_KEYS, paypalRig, STRIPE_KEYS, stripeRig } from '../../factories/card-providers.ts'
import { paymentProviderSuite } from '../../suites/payment-provider.suite.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const now = () => NOW

paymentProviderSuite('Stripe', async () => {
  const { emulator, provider } = await stripeRig({ now })
  const { books } = emulator
  const confirm = (id: string, method: string) => void books.confirm(id, method, 'http://site.test/back')
  const outage = (fault: Parameters<typeof emulator.set>[0]) => ({
    name: fault,
    begin: () => emulator.set(fault),
    end: () => emulator.set('nothing'),
  })
  const eventOf = (id: string) => {
    const event = emulator.events.find(({ data }) => 'id' in data.object && data.object.id === id)
    if (!event) throw new Error('no event')
    return event
  }
  return {
    provider,
    secrets: [STRIPE_KEYS.secretKey, ...STRIPE_KEYS.webhookSecrets],
    amount: { paidFt: 1990n, creditedFt: 1990n },
    kind: 'card',
    unknownId: 'pi_00',
    pay: (id) => Promise.resolve(confirm(id, 'pm_card_visa')),
    decline: (id) => {
      // A decline is an error to whoever confirms.
      expect(() => confirm(id, 'pm_card_chargeDeclined')).toThrow('declined')
      return Promise.resolve('failed' as const)
    },
    retries: true,
    charges: (paymentId) =>
      [...books.charges.values()].filter(({ paid, metadata }) => paid && metadata['payment_id'] === paymentId).length,
    hint: (id) => ({ ...emulator.message(eventOf(id)), query: {} }),
    forged: (id) => {
      const event = eventOf(id)
      const genuine = emulator.message(event)
      const forged = [
        { ...genuine, headers: {} },
        { ...genuine, body: genuine.body.replace('requires_payment_method', 'succeeded') },
        { ...genuine, headers: { 'stripe-signature': 't=1,v1=00' } },
        emulator.message(event, { secrets: ['whsec_nobody'] }),
        emulator.message(event, { ageS: 301 }),
        emulator.message(event, { ageS: -301 }),
      ]
      return forged.map((message) => ({ ...message, query: {} }))
    },
    outages: [outage('down'), outage('busy'), outage('cut'), outage('not json')],
    loseAnswer: () => emulator.set('lost answer'),
    heal: () => emulator.set('nothing'),
    refundedFt: () => [...books.refunds.values()].reduce((sum, { amount }) => sum + BigInt(amount) / 100n, 0n),
    close: () => emulator.close(),
  }
})

paymentProviderSuite('PayPal', async () => {
  const { emulator, provider } = await paypalRig({ now })
  const { books } = emulator
  const outage = (fault: Parameters<typeof emulator.set>[0]) => ({
    name: fault,
    begin: () => emulator.set(fault),
    end: () => emulator.set('nothing'),
  })
  const message = (id: string) => {
    const resource = { id, status: 'APPROVED' }
    const type = 'CHECKOUT.ORDER.APPROVED'
    return emulator.message({ ...EVENT, id: `WH-${id}`, event_type: type, resource })
  }
  return {
    provider,
    secrets: [PAYPAL_KEYS.clientSecret],
    amount: { paidFt: 1990n, creditedFt: 1990n },
    kind: 'redirect',
    unknownId: '0AB12345CD678901E',
    pay: (id) => Promise.resolve(void books.approve(id, 'paid')),
    decline: (id) => {
      books.approve(id, 'instrument declined')
      return Promise.resolve('failed' as const)
    },
    retries: true,
    charges: (paymentId) => [...books.captures.values()].filter(({ custom_id: id }) => id === paymentId).length,
    hint: (id) => ({ ...message(id), query: {} }),
    forged: (id) => {
      const genuine = message(id)
      const forged = [
        { ...genuine, headers: {} },
        { ...genuine, body: genuine.body.replace('APPROVED', 'COMPLETED') },
        { ...genuine, headers: { ...genuine.headers, 'paypal-transmission-sig': 'AAAA' } },
        { ...genuine, headers: { ...genuine.headers, 'paypal-cert-url': 'https://certs.test/paypal.com/' } },
      ]
      return forged.map((one) => ({ ...one, query: {} }))
    },
    outages: [outage('down'), outage('busy'), outage('cut'), outage('not json')],
    loseAnswer: () => emulator.set('lost answer'),
    heal: () => emulator.set('nothing'),
    refundedFt: () => [...books.refunds.values()].reduce((sum, { amount }) => sum + BigInt(amount.value), 0n),
    close: () => emulator.close(),
  }
})

const EVENT = {
  event_version: '1.0',
  create_time: new Date(NOW).toISOString(),
  resource_type: 'checkout-order',
  resource_version: '2.0',
  summary: '',
  links: [],
}
