import { describe, expect, it } from 'vitest'
import { explain, type Attempt, type Ledger, type Posted, type Wish } from '../../support/money-history.ts'

const USER = 'anna'
const attempt = (op: string, [begin, end]: [number, number?], change: Partial<Attempt> = {}): Attempt => ({
  op,
  user: USER,
  kind: 'top-up',
  begin: BigInt(begin),
  amountFt: 100n,
  ...(end === undefined ? {} : { end: BigInt(end), answer: 'ok' }),
  ...change,
})
const read = (amountFt: bigint, at: [number, number]): Attempt =>
  attempt(`read ${at.join()}`, at, { kind: 'read', amountFt })

/** A wallet whose lines are these, in this order, and the transactions that made them. */
function ledgerOf(lines: readonly [op: string, amountFt: bigint, kind?: Wish][]): Ledger {
  let balance = 0n
  const wallets = lines.map(([op, amountFt, kind = 'top-up'], at): Posted => {
    balance += amountFt
    return { user: USER, op, kind, seq: at + 1, amountFt, balanceFt: balance }
  })
  return { wallets, transactions: wallets.map(({ op, kind }) => ({ op, kind })) }
}

const HISTORY = [
  attempt('a', [1, 2]),
  attempt('b', [3, 9]),
  attempt('c', [4, 8], { kind: 'spins', amountFt: -40n }),
  attempt('d', [5, 6], { kind: 'spins', amountFt: -5000n, answer: 'short' }),
  attempt('e', [7]),
  read(100n, [2, 5]),
  read(160n, [10, 11]),
]
const LEDGER = ledgerOf([
  ['a', 100n],
  ['c', -40n, 'spins'],
  ['b', 100n],
])

describe('what a history and a ledger say of one another', () => {
  it('nothing where they agree, with an unknown wish that was done or was not', () => {
    expect(explain(HISTORY, LEDGER)).toEqual([])
    const done = ledgerOf([
      ['a', 100n],
      ['c', -40n, 'spins'],
      ['b', 100n],
      ['e', 100n],
    ])
    expect(explain(HISTORY, done)).toEqual([])
  })

  it('a lost update: acknowledged, and no trace of it', () => {
    expect(
      explain(
        HISTORY,
        ledgerOf([
          ['a', 100n],
          ['b', 100n],
        ]),
      ),
    ).toContainEqual(expect.stringMatching(/spins c .* ok .*\[\]/))
  })

  it('a lost update: two lines that were worked out from one balance', () => {
    const lost = LEDGER.wallets.map((line) => (line.op === 'b' ? { ...line, balanceFt: 200n } : line))
    expect(explain(HISTORY, { ...LEDGER, wallets: lost })).toContain('line 3 of anna leaves 200, not 160')
  })

  it('a double posting, of what was acknowledged and of what is unknown', () => {
    const twice = ledgerOf([...lines(LEDGER), ['a', 100n]])
    expect(explain(HISTORY, twice)).toContainEqual(
      expect.stringMatching(/top-up a was answered ok .*\[top-up,top-up\]/),
    )
    const unknown = ledgerOf([...lines(LEDGER), ['e', 100n], ['e', 100n]])
    expect(explain(HISTORY, unknown)).toContainEqual(expect.stringMatching(/top-up e was answered unknown/))
  })

  it('a refused wish that was done, and half of a refund', () => {
    const done = ledgerOf([...lines(LEDGER), ['d', -5000n, 'spins']])
    expect(explain(HISTORY, done)).toContainEqual(expect.stringMatching(/spins d was answered refused/))
    const half = ledgerOf([...lines(LEDGER), ['f', -60n, 'refund']])
    const refund = attempt('f', [12, 13], { kind: 'refund', amountFt: -60n })
    expect(explain([...HISTORY, refund], half)).toContainEqual(expect.stringMatching(/refund f .* \[refund\]/))
  })

  it('money that nobody asked for, and another amount than was asked for', () => {
    expect(explain(HISTORY, ledgerOf([...lines(LEDGER), ['x', 7n]]))).toContain('nobody asked for the top-up of x')
    const other = ledgerOf([
      ['a', 90n],
      ['c', -40n, 'spins'],
      ['b', 100n],
    ])
    expect(explain(HISTORY, other)).toContain('a moved 90, not 100')
  })

  it('an order of lines in which nobody can have seen them', () => {
    const turned = ledgerOf([
      ['b', 100n],
      ['a', 100n],
      ['c', -40n, 'spins'],
    ])
    expect(explain(HISTORY, turned)).toContain('a was done before b began and stands after it')
  })

  it('a read of what was not the balance then, and a read back into the past', () => {
    expect(explain([...HISTORY, read(100n, [12, 13])], LEDGER)).toContain(
      'anna read 100, which was not the balance then',
    )
    const back = [attempt('a', [1, 2]), attempt('b', [3, 20]), read(200n, [4, 5]), read(100n, [6, 7])]
    expect(
      explain(
        back,
        ledgerOf([
          ['a', 100n],
          ['b', 100n],
        ]),
      ),
    ).toContain('anna read 100, which was not the balance then')
  })

  it('a refusal for want of money that was there all the time', () => {
    const short = attempt('g', [12, 13], { kind: 'spins', amountFt: -100n, answer: 'short' })
    expect(explain([...HISTORY, short], LEDGER)).toContain('g was refused for want of money that was there')
    const order = attempt('h', [11, 14], { kind: 'order', amountFt: -100n })
    const settled = ledgerOf([...lines(LEDGER), ['h', -100n, 'order']])
    expect(explain([...HISTORY, short, order], settled)).toEqual([])
  })
})

function lines({ wallets }: Ledger): [string, bigint, Wish][] {
  return wallets.map(({ op, amountFt, kind }) => [op, amountFt, kind as Wish])
}
