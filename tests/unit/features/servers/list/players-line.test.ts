import { expect, it } from 'vitest'
import { LINE_SIZE, playersLine } from '@/features/servers/list/players-line.ts'

it('draws steps of equal width, the highest at the top', () => {
  expect(playersLine([0, 4, 2, 2])).toBe('M0 19H14V1H28V10H42V10H56')
})

it('leaves a gap where no game answered', () => {
  expect(playersLine([1, null, 1, null])).toBe('M0 1H14M28 1H42')
})

it('an empty server is a line at the bottom, and no hours are no line', () => {
  expect(playersLine([0, 0])).toBe(`M0 ${LINE_SIZE.height - 1}H28V${LINE_SIZE.height - 1}H56`)
  expect(playersLine([null, null])).toBe('')
})
