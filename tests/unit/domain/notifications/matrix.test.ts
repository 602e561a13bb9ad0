import { describe, expect, test } from 'vitest'
import { channelsOf, isMatrixKey, MATRIX_KEYS } from '#domain/notifications/matrix.ts'

const ways = (hasBrowser: boolean) =>
  Object.fromEntries(MATRIX_KEYS.map((key) => [key, channelsOf(key, { chosen: undefined, hasBrowser })]))

describe('the ways beside the bell', () => {
  test('are mail for money and expiry, and no push, as long as nothing was said', () => {
    expect(ways(false)).toEqual({
      'server.installed': { mail: false, push: false },
      'purchase.success': { mail: true, push: false },
      'server.expired': { mail: true, push: false },
      'topup.failed': { mail: true, push: false },
      'topup.successful': { mail: true, push: false },
      'premium.expired': { mail: true, push: false },
    })
  })

  test('are pushes too once a browser subscribed: whoever did that asked for them', () => {
    expect(Object.values(ways(true)).every(({ push }) => push)).toBe(true)
  })

  test.each([true, false])('are what the person said, mail %s', (said) => {
    for (const key of MATRIX_KEYS) {
      const chosen = { mail: said, push: said }
      expect(channelsOf(key, { chosen, hasBrowser: true })).toEqual(chosen)
      expect(channelsOf(key, { chosen, hasBrowser: false })).toEqual({ mail: said, push: false })
    }
  })

  test('keep the default of the way that nothing was said of', () => {
    const chosen = { mail: false, push: null }
    expect(channelsOf('topup.failed', { chosen, hasBrowser: true })).toEqual({ mail: false, push: true })
  })

  test('are chosen for the five keys of the specification, and for the end of premium', () => {
    const ofSpecification = [
      'purchase.success',
      'server.expired',
      'server.installed',
      'topup.failed',
      'topup.successful',
    ]
    expect([...MATRIX_KEYS].sort()).toEqual([...ofSpecification, 'premium.expired'].sort())
    expect(isMatrixKey('server.moved')).toBe(false)
  })
})
