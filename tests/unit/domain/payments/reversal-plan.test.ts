import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  planReversals,
  type HeldBooks,
  type OwnRefund,
  type ReversalStep,
  type TakenPart,
} from '#domain/payments/reversal-plan.ts'
import { nextReversal, type Reversal } from '#domain/payments/reversal.ts'

const refund = (id: string, minor: bigint, changes: Partial<Reversal> = {}): Reversal => ({
  kind: 'refund',
  id,
  minor,
  whole: 5000n,
  state: 'succeeded',
  refundId: null,
  ...changes,
})
const dispute = (id: string, minor: bigint, state: Reversal['state'] = 'open'): Reversal => ({
  kind: 'dispute',
  id,
  minor,
  whole: 5000n,
  state,
  refundId: null,
})
const books = (changes: Partial<HeldBooks>): HeldBooks => ({
  creditedFt: 5000n,
  reversals: [],
  taken: [],
  refunds: [],
  isSettledByStaff: false,
  ...changes,
})
const taken = (sourceId: string, amountFt: bigint, changes: Partial<TakenPart> = {}): TakenPart => ({
  id: `row ${sourceId}`,
  kind: 'dispute',
  sourceId,
  amountFt,
  state: 'taken',
  ...changes,
})
const take = (kind: 'refund' | 'dispute', sourceId: string, amountFt: bigint): ReversalStep => ({
  do: 'take',
  kind,
  sourceId,
  amountFt,
})
const giveBack = (sourceId: string): ReversalStep => ({ do: 'give-back', takenId: `row ${sourceId}` })
const own = (id: string, amountFt: bigint, state: OwnRefund['state']): OwnRefund => ({ id, amountFt, state })
const ours = (id: string, minor: bigint, state: Reversal['state'] = 'succeeded') =>
  refund(`re_${id}`, minor, { refundId: id, state })

describe('what follows of money that goes back', () => {
  it.each<[string, Partial<HeldBooks>, ReversalStep[]]>([
    ['nothing of nothing', {}, []],
    ['a dispute is taken', { reversals: [dispute('a', 1200n)] }, [take('dispute', 'a', 1200n)]],
    ['once', { reversals: [dispute('a', 1200n, 'lost')], taken: [taken('a', 1200n)] }, []],
    [
      'it is given back when it is won',
      { reversals: [dispute('a', 1n, 'won')], taken: [taken('a', 9n)] },
      [giveBack('a')],
    ],
    ['a refund there is taken', { reversals: [refund('r', 700n)] }, [take('refund', 'r', 700n)]],
    ['unless staff settled it by hand', { reversals: [refund('r', 700n)], isSettledByStaff: true }, []],
    [
      'a refund of the amount of a dispute is that dispute',
      { reversals: [dispute('a', 700n), refund('r', 700n), refund('s', 700n)] },
      [take('dispute', 'a', 700n), take('refund', 's', 700n)],
    ],
    ['a refund of ours is ours', { reversals: [ours('f', 700n)], refunds: [own('f', 700n, 'succeeded')] }, []],
    [
      'one that was refused and sent all the same is taken',
      { reversals: [ours('f', 700n)], refunds: [own('f', 700n, 'failed')] },
      [take('refund', 're_f', 700n)],
    ],
    [
      'one that came back is returned, and leaves room',
      { reversals: [ours('f', 700n, 'failed'), dispute('a', 5000n)], refunds: [own('f', 700n, 'succeeded')] },
      [{ do: 'return-refund', refundId: 'f' }, take('dispute', 'a', 5000n)],
    ],
    [
      'what ours has sent is not taken again, what is on its way may still fail',
      { reversals: [dispute('a', 5000n)], refunds: [own('f', 700n, 'succeeded'), own('g', 300n, 'pending')] },
      [take('dispute', 'a', 4300n)],
    ],
    [
      'a refund without a name may be one of ours on its way',
      { reversals: [refund('', 5000n)], refunds: [own('f', 700n, 'succeeded'), own('g', 300n, 'requested')] },
      [take('refund', '', 4000n)],
    ],
    [
      'and is that one once the provider names it, also where it comes back',
      { reversals: [refund('', 5000n), ours('f', 5000n, 'failed')], refunds: [own('f', 5000n, 'succeeded')] },
      [{ do: 'return-refund', refundId: 'f' }],
    ],
    [
      'a dispute that ends with a part gives back the rest',
      { reversals: [dispute('a', 4000n, 'lost'), refund('r', 4000n)], taken: [taken('a', 5000n)] },
      [giveBack('a'), take('dispute', 'a:settled', 4000n)],
    ],
    [
      'also where its refund was taken before',
      {
        reversals: [dispute('a', 1000n, 'lost'), refund('r', 1000n)],
        taken: [taken('a', 2500n), taken('r', 1000n, { kind: 'refund' })],
      },
      [giveBack('a')],
    ],
    [
      'and once it is won after all, that part',
      {
        reversals: [dispute('a', 4000n, 'won')],
        taken: [taken('a', 5000n, { state: 'won' }), taken('a:settled', 4000n)],
      },
      [giveBack('a:settled')],
    ],
  ])('%s', (_name, changes, steps) => {
    expect(planReversals(books(changes))).toEqual(steps)
  })

  const looks = fc.array(
    fc.record({
      kind: fc.constantFrom('refund' as const, 'dispute' as const),
      id: fc.constantFrom('', 'a', 'b', 'c'),
      minor: fc.bigInt({ min: 0n, max: 6000n }),
      end: fc.nat(2),
    }),
    { maxLength: 8 },
  )
  const STATES = { refund: ['pending', 'succeeded', 'failed'], dispute: ['open', 'lost', 'won'] } as const

  it('I8: takes no more than was credited, whatever is told in whatever order, and repeated does nothing', () => {
    fc.assert(
      fc.property(looks, (seen) => {
        let held = books({})
        for (const { kind, id, minor, end } of seen) {
          const look: Reversal = { kind, id, minor, whole: 5000n, state: STATES[kind][end] ?? 'open', refundId: null }
          const known = held.reversals.find((each) => each.kind === kind && each.id === id)
          const others = held.reversals.filter((each) => each !== known)
          held = { ...held, reversals: [...others, known ? nextReversal(known, look) : look] }
          held = carriedOut(held, planReversals(held))
          expect(planReversals(held)).toEqual([])
          expect(standsFt(held) <= held.creditedFt).toBe(true)
          for (const row of held.taken) {
            const of = held.reversals.find((each) => each.kind === row.kind && row.sourceId.split(':')[0] === each.id)
            if (of && (of.state === 'won' || of.state === 'failed')) expect(row.state).not.toBe('taken')
          }
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

const standsFt = ({ taken: rows }: HeldBooks): bigint =>
  rows.filter(({ state }) => state === 'taken').reduce((sum, { amountFt }) => sum + amountFt, 0n)

function carriedOut(held: HeldBooks, steps: readonly ReversalStep[]): HeldBooks {
  let rows = [...held.taken]
  for (const step of steps) {
    if (step.do === 'take') {
      const { kind, sourceId, amountFt } = step
      expect(rows.some((row) => row.kind === kind && row.sourceId === sourceId)).toBe(false)
      rows.push(taken(sourceId, amountFt, { id: `${kind} ${sourceId}`, kind }))
    } else if (step.do === 'give-back') {
      rows = rows.map((row) => (row.id === step.takenId ? { ...row, state: 'won' } : row))
    }
  }
  return { ...held, taken: rows }
}
