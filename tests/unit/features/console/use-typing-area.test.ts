import { expect, test } from 'vitest'

import { typingArea } from '../../../../src/features/console/use-typing-area.ts'

const phone = { fullHeight: 844, height: 508, offsetTop: 0, scale: 1, isWriting: true, isNarrow: true }

test('beside a keyboard the console takes what is left of the screen, wherever that is', () => {
  expect(typingArea(phone)).toEqual({ top: 0, height: 508 })
  expect(typingArea({ ...phone, height: 507.6, offsetTop: 211.4 })).toEqual({ top: 211, height: 508 })
})

test.each([
  ['nobody writes', { isWriting: false }],
  ['the screen is wide', { isNarrow: false }],
  ['only the bars of the browser came', { height: 760 }],
  ['the page is drawn larger', { scale: 1.6 }],
])('it has its usual form when %s', (_name, change) => {
  expect(typingArea({ ...phone, ...change })).toBeNull()
})
