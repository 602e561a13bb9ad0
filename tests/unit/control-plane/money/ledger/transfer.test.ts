import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import {
  assertCapture,
  assertHold,
  assertTransfer,
  holdHash,
  transferHash,
} from '../../../../../control-plane/money/ledger/transfer.ts'
import { AT, moves } from '../../../../factories/ledger-moves.ts'

const USER = '01a1fbf4-f950-70ac-a31a-dc301d8641a5'
const transfer = moves.payIn(USER, 100n, 'key')
const hold = moves.hold(USER, 100n, 'key')
const capture = moves.capture({ userId: USER, holdId: 'hold', key: 'key' }, 100n)

describe('what is posted', () => {
  it('is a transfer, a hold and a capture of whole sense', () => {
    expect(() => assertTransfer(transfer)).not.toThrow()
    expect(() => assertHold(hold)).not.toThrow()
    expect(() => assertCapture(capture)).not.toThrow()
  })

  it.each([
    ['a hold of nothing', () => assertHold({ ...hold, amount: forints(0n) }), 'A hold is more than zero.'],
    ['a negative hold', () => assertHold({ ...hold, amount: forints(-1n) }), 'A hold is more than zero.'],
    ['a hold without time', () => assertHold({ ...hold, expiresAtMs: AT }), 'A hold ends after it begins.'],
    ['a capture of nothing', () => assertCapture({ ...capture, amount: forints(0n) }), 'A capture is more than zero.'],
    [
      'a capture of more than its credits',
      () => assertCapture({ ...capture, amount: forints(101n) }),
      'The credits of a capture add up to its amount.',
    ],
    [
      'a transfer of one entry',
      () => assertTransfer({ ...transfer, entries: transfer.entries.slice(0, 1) }),
      'A transfer has at least two entries.',
    ],
    [
      'a transfer that makes money',
      () =>
        assertTransfer({
          ...transfer,
          entries: transfer.entries.map((entry, at) => (at === 0 ? { ...entry, amount: forints(1n) } : entry)),
        }),
      'The entries of a transfer add up to zero.',
    ],
  ])('is not %s', (_name, act, message) => {
    expect(act).toThrow(message)
  })
})

describe('the hash of a repetition', () => {
  it('does not depend on id, time, actor and request', () => {
    const again = { ...transfer, id: 'other', atMs: AT + 1, actor: 'other', requestId: 'other' }
    expect(transferHash(again)).toBe(transferHash(transfer))
    expect(holdHash({ ...hold, id: 'other', atMs: AT + 1, requestId: 'other' })).toBe(holdHash(hold))
  })

  it('depends on amount, owner and reason', () => {
    const others = [{ amount: forints(101n) }, { userId: 'other' }, { reason: 'Other' }]
    for (const change of others) expect(holdHash({ ...hold, ...change })).not.toBe(holdHash(hold))
    expect(transferHash(moves.payIn(USER, 101n, 'key'))).not.toBe(transferHash(transfer))
  })
})
