import { expect, it } from 'vitest'
import { runningDifference } from '#domain/startup/running-difference.ts'

const STARTED = {
  environment: { A: '1', B: '2' },
  image: 'game@1',
  argv: ['node', '{{env:A}}'],
  ports: [1, 2],
  memoryMiB: 512,
}
const NOTHING = { variables: [], image: false, rest: false }

it.each([
  ['nothing', {}, NOTHING],
  ['a variable', { environment: { A: '9', B: '2' } }, { ...NOTHING, variables: ['A'] }],
  ['one that is new, and one that is gone', { environment: { A: '1', C: '' } }, { ...NOTHING, variables: ['B', 'C'] }],
  ['the image', { image: 'game@2' }, { ...NOTHING, image: true }],
  ['the command', { argv: ['node'] }, { ...NOTHING, rest: true }],
  ['the primary port', { ports: [2, 1] }, { ...NOTHING, rest: true }],
  ['the memory', { memoryMiB: 1_024 }, { ...NOTHING, rest: true }],
])('a running program differs from what is saved by %s', (_, saved, difference) => {
  expect(runningDifference(STARTED, { ...STARTED, ...saved })).toEqual(difference)
})
