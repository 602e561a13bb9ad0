import { expect, it } from 'vitest'
import { debtOpen, insufficientBalance, refuseOrder } from '#domain/billing/order-refusal.ts'

it('carries the missing amount, not the price', () => {
  expect(insufficientBalance(490n)).toEqual({ ok: false, code: 'INSUFFICIENT_BALANCE', params: { price: '490' } })
})

it('a refusal for a debt carries the whole debt', () => {
  expect(debtOpen(1_990n)).toEqual({ ok: false, code: 'DEBT_OPEN', params: { price: '1990' } })
})

it('has no params when there is nothing to tell', () => {
  expect(refuseOrder('NOT_ORDERABLE')).toEqual({ ok: false, code: 'NOT_ORDERABLE' })
})
