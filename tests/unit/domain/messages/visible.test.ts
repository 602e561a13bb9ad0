import { expect, test } from 'vitest'
import { isCurrent, visibleMessages } from '../../../../src/domain/messages/visible.ts'
import type { Reader } from '../../../../src/domain/messages/visible.ts'

const message = (audience: Reader, severity: 'info' | 'warning' | 'error' = 'info', more = {}) => ({
  name: `${audience} ${severity}`,
  audience,
  severity,
  fromMs: null,
  toMs: null,
  ...more,
})
const all = [message('public'), message('customers'), message('staff')]
const namesFor = (reader: Reader, messages = all) => visibleMessages(messages, reader, 1_000).map(({ name }) => name)

test.each([
  ['public', ['public info']],
  ['customers', ['public info', 'customers info']],
  ['staff', ['public info', 'customers info', 'staff info']],
] as const)('to %s', (reader, names) => {
  expect(namesFor(reader)).toEqual(names)
})

test.each([
  [null, null, true],
  [1_000, null, true],
  [1_001, null, false],
  [null, 1_001, true],
  [null, 1_000, false],
  [500, 1_500, true],
])('from %s to %s, at 1000: %s', (fromMs, toMs, isShown) => {
  expect(isCurrent({ fromMs, toMs }, 1_000)).toBe(isShown)
  expect(visibleMessages([message('public', 'info', { fromMs, toMs })], 'public', 1_000)).toHaveLength(Number(isShown))
})

test('the gravest comes first, others as they came', () => {
  const messages = [
    message('public', 'info', { name: 'one' }),
    message('public', 'error', { name: 'two' }),
    message('public', 'warning', { name: 'three' }),
    message('public', 'error', { name: 'four' }),
  ]
  expect(namesFor('public', messages)).toEqual(['two', 'four', 'three', 'one'])
})
