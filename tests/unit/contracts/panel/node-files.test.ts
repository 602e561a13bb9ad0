import { expect, it } from 'vitest'
import { NODE_FILE_CALLS } from '#contracts/panel/node-files.ts'

it('a search is for a part of one line: more than a line is refused, and would be found nowhere', () => {
  const { input } = NODE_FILE_CALLS.search
  expect(input.safeParse({ path: '', content: 'max players' }).success).toBe(true)
  for (const content of ['a\nb', 'a\r', '\n']) expect(input.safeParse({ path: '', content }).success).toBe(false)
})
