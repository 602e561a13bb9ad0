import { expect, test } from 'vitest'
import { delayBefore, planReconnect, withJitter } from '../../../../src/lib/realtime/reconnect.ts'

test('the delays double from 1 s and stay at 8 s', () => {
  expect([1, 2, 3, 4, 5, 10].map(delayBefore)).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
})

test.each([1000, 1001, 1005, 1006, 1011, 1012, 1013, 1014, 1015])(
  'code %i reconnects although it was clean',
  (code) => {
    expect(planReconnect({ code, wasClean: true }, 0)).toEqual({ kind: 'wait', delayMs: 1_000, attempt: 1 })
  },
)

test.each([4400, 4401, 4403, 4408, 4409, 4410, 4429])('our code %i never reconnects, clean or not', (code) => {
  expect(planReconnect({ code, wasClean: true }, 0)).toEqual({ kind: 'stop' })
  expect(planReconnect({ code, wasClean: false }, 0)).toEqual({ kind: 'stop' })
})

test('any other clean code stops, any other unclean one reconnects', () => {
  expect(planReconnect({ code: 1008, wasClean: true }, 3)).toEqual({ kind: 'stop' })
  expect(planReconnect({ code: 1008, wasClean: false }, 3)).toEqual({ kind: 'wait', delayMs: 8_000, attempt: 4 })
})

test('the tenth attempt is the last one', () => {
  expect(planReconnect({ code: 1006, wasClean: false }, 9)).toEqual({ kind: 'wait', delayMs: 8_000, attempt: 10 })
  expect(planReconnect({ code: 1006, wasClean: false }, 10)).toEqual({ kind: 'giveUp' })
})

test('jitter shortens a delay by at most a quarter, so that the cap stays the cap', () => {
  expect([withJitter(8_000, 0), withJitter(8_000, 0.5), withJitter(8_000, 1)]).toEqual([8_000, 7_000, 6_000])
})
