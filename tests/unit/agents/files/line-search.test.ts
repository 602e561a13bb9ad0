import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LineSearch } from '../../../../agents/files/line-search.ts'

const foundIn = (pieces: readonly Buffer[], wanted: string) => {
  const search = new LineSearch(wanted)
  for (const piece of pieces) {
    const found = search.add(piece)
    if (found !== undefined) return found
  }
  return undefined
}

it('finds the same line however the content is cut, also within a character', () => {
  const line = fc.stringMatching(/^[abcáő ]{0,12}$/)
  fc.assert(
    fc.property(fc.array(line), fc.stringMatching(/^[abáő]{1,3}$/), fc.array(fc.nat(200)), (lines, wanted, cuts) => {
      const whole = Buffer.from(lines.join('\n'))
      const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length]
      const pieces = places.slice(1).map((to, index) => whole.subarray(places[index], to))
      const index = lines.findIndex((each) => each.includes(wanted))
      expect(foundIn(pieces, wanted)?.line).toBe(index < 0 ? undefined : index + 1)
    }),
  )
})

it('finds a text in a line that is longer than its memory, and the number of a line far down', () => {
  const piece = Buffer.alloc(64 * 1024, 'x')
  expect(foundIn([piece, piece, piece, Buffer.from('xneed'), Buffer.from('le\n')], 'needle')?.line).toBe(1)
  const lines = Buffer.from('short line\n'.repeat(6_000))
  expect(foundIn([lines, lines, Buffer.from('the Needle\nnext')], 'needle')).toEqual({
    line: 12_001,
    text: 'the Needle',
  })
})
