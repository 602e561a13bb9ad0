import { expect, it } from 'vitest'

import { readJsonText } from '#platform/json-text.ts'

it('reads JSON, and anything else as undefined', () => {
  expect([readJsonText('{"a":[1]}'), readJsonText('null')]).toEqual([{ a: [1] }, null])
  for (const text of ['', '{', 'undefined', '{"a":1}x']) expect(readJsonText(text)).toBeUndefined()
})
