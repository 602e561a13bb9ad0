import { expect, test } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { modificationRefused } from '../../../../control-plane/api/modification-calls.ts'
import { renewalRefused } from '../../../../control-plane/api/renewal-calls.ts'

test('the refusal of a renewal or a resize without money says what it was for', () => {
  const renewal = renewalRefused({ ok: false, code: 'INSUFFICIENT_BALANCE', priceFt: 490n })
  expect([renewal.code, renewal.params]).toEqual(['INSUFFICIENT_BALANCE', { purchase: 'renewal', price: '490' }])
  const resize = modificationRefused({ ok: false, code: 'INSUFFICIENT_BALANCE', missing: forints(1_200n) })
  expect([resize.code, resize.params]).toEqual(['INSUFFICIENT_BALANCE', { purchase: 'resize', price: '1200' }])
})
