import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spreadWriteOff } from '#domain/billing/write-off.ts'

const debt = (id: string, openFt: bigint) => ({ id, openFt })

describe('a debt that is given up', () => {
  it('falls on the youngest, because what was paid ended the oldest', () => {
    expect(spreadWriteOff(3000n, [debt('paid', 5000n), debt('young', 3000n)])).toEqual([{ id: 'young', partFt: 3000n }])
    expect(spreadWriteOff(4000n, [debt('old', 5000n), debt('young', 3000n)])).toEqual([
      { id: 'young', partFt: 3000n },
      { id: 'old', partFt: 1000n },
    ])
    expect(spreadWriteOff(0n, [debt('old', 5000n)])).toEqual([])
  })

  it('falls on what is open, and on no debt before all younger ones are given up', () => {
    const debts = fc.array(fc.bigInt({ min: 0n, max: 10_000n }), { maxLength: 8 })
    fc.assert(
      fc.property(debts, fc.bigInt({ min: 0n, max: 80_000n }), (amounts, owedFt) => {
        const listed = amounts.map((openFt, at) => debt(String(at), openFt))
        const parts = new Map(spreadWriteOff(owedFt, listed).map(({ id, partFt }) => [id, partFt]))
        const whole = amounts.reduce((sum, openFt) => sum + openFt, 0n)
        const fell = [...parts.values()].reduce((sum, partFt) => sum + partFt, 0n)
        expect(fell).toBe(owedFt < whole ? owedFt : whole)
        for (const [at, { id, openFt }] of listed.entries()) {
          const part = parts.get(id) ?? 0n
          expect(part <= openFt).toBe(true)
          if (part === 0n) continue
          for (const younger of listed.slice(at + 1)) expect(parts.get(younger.id) ?? 0n).toBe(younger.openFt)
        }
      }),
    )
  })
})
