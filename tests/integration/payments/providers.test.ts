import { afterAll, beforeAll } from 'vitest'
import { paymentProviderSuite } from '../../suites/payment-provider.suite.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { BARION_POS_KEY, barionRig, PHONE_SECRETS, phoneRig, sandboxRig } from '../../factories/provider-rigs.ts'
import { orderContext, shopDatabase } from '../../factories/shop.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
})
afterAll(() => database.close())

paymentProviderSuite('sandbox', async () => {
  const { context, provider, decide } = sandboxRig(database.db)
  const charged = new Set<string>()
  const pay = async (id: string) => {
    await decide(context, { id, decision: 'succeed' })
    const observed = await provider.fetchState({ paymentId: '', providerPaymentId: id })
    if (observed?.reference) charged.add(observed.reference)
  }
  const body = (id: string) => ({ headers: {}, query: {}, body: JSON.stringify({ paymentId: id }) })
  return {
    provider,
    secrets: [],
    amount: { paidFt: 1990n, creditedFt: 1990n },
    kind: 'redirect',
    unknownId: 'f'.repeat(48),
    pay,
    decline: async (id) => {
      await decide(context, { id, decision: 'fail' })
      return 'failed'
    },
    retries: true,
    charges: (paymentId) => (charged.has(paymentId) ? 1 : 0),
    hint: body,
    forged: (id) => [body('0'.repeat(48)), body(id), { headers: {}, query: {}, body: '{"paymentId":1}' }],
    outages: [],
    close: () => Promise.resolve(),
  }
})

paymentProviderSuite('Barion', async () => {
  const { barion, provider } = await barionRig()
  const named = (id: string, body = '') => ({ headers: {}, query: { paymentId: id }, body })
  const outage = (fault: Parameters<typeof barion.set>[0]) => ({
    name: fault,
    begin: () => barion.set(fault),
    end: () => barion.set('nothing'),
  })
  return {
    provider,
    secrets: [BARION_POS_KEY],
    amount: { paidFt: 1990n, creditedFt: 1990n },
    kind: 'redirect',
    unknownId: 'f'.repeat(32),
    pay: (id) => Promise.resolve(barion.decide(id, 'succeed')),
    decline: (id) => {
      barion.decide(id, 'fail')
      return Promise.resolve('failed' as const)
    },
    retries: true,
    charges: (paymentId) =>
      barion.payments().filter(({ OrderNumber, Status }) => OrderNumber === paymentId && Status === 'Succeeded').length,
    hint: named,
    forged: (id) => [named('f'.repeat(32)), named(id, 'Status=Succeeded'), named('../../v2/Payment/Refund')],
    outages: [outage('down'), outage('hang up'), outage('html'), outage('half a payment')],
    loseAnswer: () => barion.set('lost answer'),
    heal: () => barion.set('nothing'),
    refundedFt: () => barion.refunds().reduce((sum, { total }) => sum + BigInt(total), 0n),
    close: () => barion.close(),
  }
})

paymentProviderSuite('phone', async () => {
  const context = orderContext(database.db)
  const { phone, provider } = phoneRig(context)
  const billed = new Map<string, number>()
  const tell = (code: string, state: 'billed' | 'rejected' | 'received') =>
    phone.sign(phone.message({ text: `bakter ${code}`, state }))
  return {
    provider,
    secrets: [...PHONE_SECRETS],
    amount: { paidFt: 1905n, creditedFt: 800n },
    kind: 'premium-sms',
    unknownId: 'acdefghj',
    pay: async (code) => {
      await provider.parseHint(tell(code, 'billed'))
      const observed = await provider.fetchState({ paymentId: '', providerPaymentId: code })
      if (observed?.reference) billed.set(observed.reference, 1)
    },
    decline: async (code) => {
      await provider.parseHint(tell(code, 'rejected'))
      return 'failed'
    },
    retries: true,
    charges: (paymentId) => billed.get(paymentId) ?? 0,
    hint: (code) => tell(code, 'received'),
    forged: (code) => {
      const genuine = tell(code, 'billed')
      const message = phone.message({ text: `BAKTER ${code}` })
      const now = context.clock.now()
      return [
        { ...genuine, headers: {} },
        { ...genuine, body: genuine.body.replace('1905', '5080') },
        phone.sign(message, { secrets: ['a secret that nobody agreed on, ever'] }),
        phone.sign(message, { atMs: now - 301_000 }),
        phone.sign(message, { atMs: now + 301_000 }),
        { ...genuine, headers: { 'x-signature': 'v1=00' } },
        phone.sign({ ...message, grossFt: -1905 }),
      ]
    },
    outages: [],
    close: () => Promise.resolve(),
  }
})
