import { expect, test } from 'vitest'
import { ERROR_STATUS } from '#contracts/http/errors.ts'
import { ApiFailure, couponRefusalOf, isUnknown } from '../../../../src/lib/browser-client/failure.ts'
import type { FailureCode } from '../../../../src/lib/browser-client/failure.ts'

const failure = (code: FailureCode, status: number) => new ApiFailure({ code, status, message: 'x' })

test.each([
  ['no answer', failure('OFFLINE', 0), true],
  ['a control plane that did not answer in time', failure('CONTROL_PLANE_UNAVAILABLE', 503), true],
  ['a fault of ours', failure('INTERNAL', 500), true],
  ['the same call under way', failure('IN_PROGRESS', 409), true],
  ['an answer of a proxy', failure('UNREADABLE', 502), true],
  ['an answer of success that cannot be read', failure('UNREADABLE', 200), true],
  ['another price', failure('PRICE_CHANGED', 409), false],
  ['too little money', failure('INSUFFICIENT_BALANCE', 402), false],
  ['a request that is too large', failure('UNREADABLE', 413), false],
  ['what is no failure of a call', new Error('x'), false],
])('%s: whether the call did its work is unknown: %s', (_name, thrown, expected) => {
  expect(isUnknown(thrown)).toBe(expected)
})

test('a coupon alone is the reason of what is said of coupons', () => {
  const codes = Object.keys(ERROR_STATUS) as (keyof typeof ERROR_STATUS)[]
  const ofCoupons = codes.filter((code) => couponRefusalOf(failure(code, 422)) !== null)
  expect(ofCoupons.toSorted()).toEqual(codes.filter((code) => code.includes('COUPON')).toSorted())
  expect(couponRefusalOf(new Error('COUPON_EXPIRED'))).toBeNull()
})
