import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PaymentKind } from '#contracts/http/payment.ts'
import { forints } from '#domain/billing/money.ts'
import { inHouseUnits } from '#domain/payments/payment-amount.ts'
import type { HintRequest, NewPayment, PaymentProvider } from '../../control-plane/money/payments/payment-provider.ts'
import { systemIds } from '#platform/ids.ts'

/** A provider with its surroundings: its customers' actions and its messages. Amounts are whole forints. */
export type ProviderRig = {
  readonly provider: PaymentProvider
  /** Strings that must appear in no error. */
  readonly secrets: readonly string[]
  /** A payable amount, and its credited amount. */
  readonly amount: { readonly paidFt: bigint; readonly creditedFt: bigint }
  readonly kind: PaymentKind
  /** An id in the provider's format, of an unknown payment. */
  readonly unknownId: string
  /** The customer pays the amount of `open`. */
  pay(providerPaymentId: string): Promise<void>
  /** The customer's bank declines; returns the state that a query shows then. */
  decline(providerPaymentId: string): Promise<'failed' | 'pending' | 'requires_action'>
  /** Whether a declined payment can still be paid. */
  readonly retries: boolean
  /** How often the provider charged this payment. */
  charges(paymentId: string): number
  /** A genuine message that names the payment, and forged messages. */
  hint(providerPaymentId: string): HintRequest
  forged(providerPaymentId: string): readonly HintRequest[]
  /** The provider is unreachable or sends invalid responses, one after the other; the last one ends it. */
  readonly outages: readonly { readonly name: string; begin(): void; end(): void }[]
  /** For providers that refund: the next call is executed and its response lost. */
  loseAnswer?(): void
  heal?(): void
  /** Total of forints sent back. */
  refundedFt?(): bigint
  close(): Promise<void>
}

/** The contract of every payment provider. */
export function paymentProviderSuite(name: string, start: () => Promise<ProviderRig>): void {
  let rig: ProviderRig
  const newPayment = (): NewPayment => ({
    paymentId: systemIds.next(),
    attempt: 1,
    kind: rig.kind,
    amount: forints(rig.amount.paidFt),
    credited: forints(rig.amount.creditedFt),
    returnUrl: 'https://site.test/dashboard/balance/ok?transaction=1',
    locale: 'hu',
  })
  const opened = async () => {
    const payment = newPayment()
    const { providerPaymentId, next } = await rig.provider.open(payment)
    return { payment, next, ref: { paymentId: payment.paymentId, providerPaymentId } }
  }
  const look = async (ref: { paymentId: string; providerPaymentId: string }) => {
    const observed = await rig.provider.fetchState(ref)
    if (!observed) throw new Error('the provider forgot a payment')
    return observed
  }

  describe(`payment provider ${name}`, () => {
    beforeAll(async () => {
      rig = await start()
    })
    afterAll(() => rig.close())

    it("names the customer's next step, and sends the amount and our reference", async () => {
      const { payment, next, ref } = await opened()
      expect(ref.providerPaymentId).not.toBe('')
      if (next.kind === 'redirect') expect(next.url).toMatch(/^https?:/)
      else if (next.kind === 'page') expect(next.secret).not.toBe('')
      else expect(next).toMatchObject({ paidFt: Number(rig.amount.paidFt), creditedFt: Number(rig.amount.creditedFt) })
      const observed = await look(ref)
      expect(['pending', 'requires_action']).toContain(observed.state)
      expect(observed).toMatchObject({ reference: payment.paymentId, refundedMinor: 0n, dispute: 'none' })
      expect(inHouseUnits(observed.amount, 'HUF')).toBe(rig.amount.paidFt)
    })

    it('returns a payment of the same reference when opened again, and charges nothing', async () => {
      const { payment } = await opened()
      const again = await rig.provider.open({ ...payment, attempt: 2 })
      const observed = await look({ paymentId: payment.paymentId, providerPaymentId: again.providerPaymentId })
      expect(observed.reference).toBe(payment.paymentId)
      expect(rig.charges(payment.paymentId)).toBe(0)
    })

    it("T14: states a paid amount equal to the order's in whole forints", async () => {
      const { payment, ref } = await opened()
      await rig.pay(ref.providerPaymentId)
      const observed = await look(ref)
      expect(observed).toMatchObject({ state: 'settled', reference: payment.paymentId, dispute: 'none' })
      expect(inHouseUnits(observed.amount, 'HUF')).toBe(rig.amount.paidFt)
      expect(inHouseUnits(observed.forwarded ?? observed.amount, 'HUF')).toBe(rig.amount.creditedFt)
    })

    it('T12: takes the money once, however often it is queried', async () => {
      const { payment, ref } = await opened()
      await rig.pay(ref.providerPaymentId)
      const looks = await Promise.all(Array.from({ length: 5 }, () => look(ref)))
      expect(new Set(looks.map(({ state }) => state))).toEqual(new Set(['settled']))
      expect(rig.charges(payment.paymentId)).toBe(1)
    })

    it('T06: does not settle a declined payment, and settles it when it is then paid', async () => {
      const { ref } = await opened()
      expect((await look(ref)).state).not.toBe('settled')
      const expected = await rig.decline(ref.providerPaymentId)
      expect((await look(ref)).state).toBe(expected)
      if (!rig.retries) return
      await rig.pay(ref.providerPaymentId)
      expect((await look(ref)).state).toBe('settled')
    })

    it('T08: does not know a payment that is not its own', async () => {
      expect(await rig.provider.fetchState({ paymentId: '', providerPaymentId: rig.unknownId })).toBeNull()
    })

    it('reads the payment from its own messages', async () => {
      const { ref } = await opened()
      const hints = await rig.provider.parseHint(rig.hint(ref.providerPaymentId))
      expect(hints).toMatchObject({ ok: true })
      if (hints.ok)
        expect(hints.hints.map(({ providerPaymentId }) => providerPaymentId)).toContain(ref.providerPaymentId)
    })

    it('T17: refuses a forged message, or ignores it', async () => {
      const { ref } = await opened()
      for (const forged of rig.forged(ref.providerPaymentId)) {
        const hints = await rig.provider.parseHint(forged)
        if (rig.provider.capabilities.signedHints) expect(hints).toEqual({ ok: false })
      }
      expect((await look(ref)).state).not.toBe('settled')
    })

    it('reports that it is unreachable, without its secrets, and works again afterwards', async () => {
      const { ref } = await opened()
      for (const { name: outage, begin, end } of rig.outages) {
        begin()
        const failure: unknown = await rig.provider.fetchState(ref).catch((error: unknown) => error)
        end()
        expect([outage, failure]).toEqual([
          outage,
          expect.objectContaining({ code: 'PROVIDER_FAILURE', retryable: true }),
        ])
        const { stack } = failure as Error
        for (const secret of rig.secrets) expect(stack).not.toContain(secret)
      }
      expect((await look(ref)).reference).toBe(ref.paymentId)
    })

    it('I8, T12: sends money back once for a refund of ours, and never more than it received', async () => {
      const { provider } = rig
      if (provider.capabilities.refunds === 'none') return expect(provider.refund).toBeUndefined()
      const { ref } = await opened()
      await rig.pay(ref.providerPaymentId)
      await look(ref)
      const before = rig.refundedFt?.() ?? 0n
      const part = provider.capabilities.refunds === 'partial' ? 600n : rig.amount.paidFt
      const order = { ...ref, refundId: systemIds.next(), amount: forints(part) }
      rig.loseAnswer?.()
      const lost: unknown = await provider.refund?.(order).catch((error: unknown) => error)
      rig.heal?.()
      if (rig.loseAnswer) expect(lost).toMatchObject({ code: 'PROVIDER_FAILURE', retryable: true })
      for (let call = 0; call < 3; call += 1) {
        expect(await provider.refund?.(order)).toMatchObject({ state: 'succeeded', failureCode: null })
      }
      expect((rig.refundedFt?.() ?? 0n) - before).toBe(part)
      const observed = await look(ref)
      expect(inHouseUnits({ ...observed.amount, minor: observed.refundedMinor }, 'HUF')).toBe(part)
      expect(inHouseUnits(observed.amount, 'HUF')).toBe(rig.amount.paidFt)
      const more = { ...ref, refundId: systemIds.next(), amount: forints(rig.amount.paidFt) }
      expect(await provider.refund?.(more)).toMatchObject({ state: 'failed', failureCode: expect.any(String) })
    })
  })
}
