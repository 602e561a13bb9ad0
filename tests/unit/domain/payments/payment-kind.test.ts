import { expect, it } from 'vitest'
import { PaymentKind } from '#contracts/http/payment.ts'
import { PAYMENT_KINDS } from '#domain/payments/payment-kind.ts'

it('the wire knows each way to pay, and each is told once', () => {
  expect(PaymentKind.options).toEqual([...PAYMENT_KINDS])
  expect(new Set(PAYMENT_KINDS).size).toBe(PAYMENT_KINDS.length)
})
