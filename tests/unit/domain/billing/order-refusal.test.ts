import { expect, it } from 'vitest'
import { insufficientBalance, refuseOrder } from '#domain/billing/order-refusal.ts'

it('carries the missing amount, not the price', () => {
  expect(insufficientBalance(490n)).toEqual({ ok: false, code: 'INSUFFICIENT_BALANCE', params: { price: '490' } })
})

it('has no params when there is nothing to tell', () => {
  expect(refuseOrder('NOT_ORDERABLE')).toEqual({ ok: false, code: 'NOT_ORDERABLE' })
})
