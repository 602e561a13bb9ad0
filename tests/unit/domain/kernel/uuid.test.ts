import { expect, it } from 'vitest'
import { isUuid } from '#domain/kernel/uuid.ts'

it.each([
  ['0197c0de-0000-7000-8000-00000000aaaa', true],
  ['0197C0DE-0000-7000-8000-00000000AAAA', true],
  ['0197c0de-0000-7000-8000-00000000aaa', false],
  ['0197c0de00007000800000000000aaaa', false],
  [' 0197c0de-0000-7000-8000-00000000aaaa', false],
  ['0197c0de-0000-7000-8000-00000000aaaa\n', false],
  ['gggggggg-0000-7000-8000-00000000aaaa', false],
  ['', false],
])('%j is a UUID: %s', (text, answer) => {
  expect(isUuid(text)).toBe(answer)
})
