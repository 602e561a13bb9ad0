import { expect, test } from 'vitest'
import { withoutClock } from '../../../../../src/features/console/log/own-clock.ts'

test.each([
  ['[09:34:12] [Server thread/INFO]: Done', '[Server thread/INFO]: Done'],
  ['[09:34] Done', 'Done'],
  ['[09:34:12 INFO]: Done', '[INFO]: Done'],
  ['09:34:12 [INFO] Done', '[INFO] Done'],
  ['2026-11-26 09:34:12,123 Done', 'Done'],
  ['[2026-11-26T09:34:12.123Z] Done', 'Done'],
  ['\u001b[36m[09:34:12]\u001b[0m Done', '\u001b[36m\u001b[0mDone'],
])('the clock that a program prints before its line is left out: %j', (line, shown) => {
  expect(withoutClock(line)).toBe(shown)
})

test.each(['Done at 09:34:12', '[09:34:12]', '12:30', '1:2 Steve won', 'At [09:34] Steve left', '[INFO]: Done', ''])(
  'a line without a clock before its text stays as it is: %j',
  (line) => {
    expect(withoutClock(line)).toBe(line)
  },
)
