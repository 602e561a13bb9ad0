import { expect, test } from 'vitest'
import { typedText } from '../../../../src/lib/forms/typed-text.ts'

test.each([
  ['', undefined],
  ['  ', undefined],
  [undefined, undefined],
  [' 123456 ', '123456'],
])('%j typed into a field that may stay empty is %j', (typed, text) => {
  expect(typedText(typed)).toBe(text)
})
