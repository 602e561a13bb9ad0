import { describe, expect, test } from 'vitest'
import { channelsOf, isMatrixKey, MATRIX_KEYS, matrixKeysOf } from '#domain/notifications/matrix.ts'

const ways = (hasBrowser: boolean) =>
  Object.fromEntries(MATRIX_KEYS.map((key) => [key, channelsOf(key, { chosen: undefined, hasBrowser })]))

describe('the ways beside the bell', () => {
  test('are mail for money, expiry and crashes, and no push, as long as nothing was said', () => {
    expect(ways(false)).toEqual({
      'server.installed': { mail: false, push: false },
      'purchase.success': { mail: true, push: false },
      'server.expired': { mail: true, push: false },
      'server.crashed': { mail: true, push: false },
      'server.storage-filling': { mail: true, push: false },
      'server.invited': { mail: true, push: false },
      'renewal.missing': { mail: true, push: false },
      'topup.failed': { mail: true, push: false },
      'topup.successful': { mail: true, push: false },
      'premium.expired': { mail: true, push: false },
      'refund.sent': { mail: true, push: false },
      'refund.failed': { mail: true, push: false },
      'refund.size': { mail: true, push: false },
      'server.package-changed': { mail: true, push: false },
      'payment.taken-back': { mail: true, push: false },
      'ticket.reply': { mail: true, push: false },
      'ticket.added': { mail: true, push: false },
      'ticket.closed': { mail: true, push: false },
      'ticket.assigned': { mail: true, push: false },
      'ticket.opened': { mail: false, push: false },
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

  test('are chosen for the five keys of the specification, for money that moves by itself, for a crash, storage that fills, a missed renewal, a planned package, the end of premium, an invitation and what happens to tickets', () => {
    const specified = ['purchase.success', 'server.expired', 'server.installed', 'topup.failed', 'topup.successful']
    const moved = ['refund.sent', 'refund.failed', 'refund.size', 'payment.taken-back']
    const stopped = [
      'server.crashed',
      'server.storage-filling',
      'renewal.missing',
      'premium.expired',
      'server.package-changed',
    ]
    const tickets = ['ticket.reply', 'ticket.added', 'ticket.closed', 'ticket.assigned', 'ticket.opened']
    expect([...MATRIX_KEYS].sort()).toEqual([...specified, ...moved, ...stopped, 'server.invited', ...tickets].sort())
    expect(isMatrixKey('server.moved')).toBe(false)
  })

  test('are offered for the tickets of staff to staff alone', () => {
    const ofStaff = ['ticket.assigned', 'ticket.opened']
    expect(matrixKeysOf({ isStaff: true })).toEqual(MATRIX_KEYS)
    expect(matrixKeysOf({ isStaff: false })).toEqual(MATRIX_KEYS.filter((key) => !ofStaff.includes(key)))
  })
})
