import { format } from 'node:util'

import { afterEach, beforeEach, expect, vi } from 'vitest'

type Level = 'error' | 'warn'

let expected: { level: Level; text: string | RegExp }[] = []
let said: { level: Level; text: string }[] = []

/** Declares that this test makes the code log the message: it must be logged, and does not fail the test. */
export function expectConsole(level: Level, text: string | RegExp): void {
  expected.push({ level, text })
}

const matches = (text: string, wanted: string | RegExp) =>
  typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)

beforeEach(() => {
  expected = []
  said = []
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation(
      (...args: unknown[]) => void said.push({ level, text: format(...args) }),
    )
  }
})

// An unexpected console.error or console.warn fails the test.
afterEach(() => {
  const isExpected = (line: { level: Level; text: string }) =>
    expected.some((wish) => wish.level === line.level && matches(line.text, wish.text))
  const unexpected = said.filter((line) => !isExpected(line)).map((line) => `console.${line.level}: ${line.text}`)
  const missing = expected
    .filter((wish) => !said.some((line) => line.level === wish.level && matches(line.text, wish.text)))
    .map((wish) => `console.${wish.level} never said ${String(wish.text)}`)
  vi.mocked(console.error).mockRestore()
  vi.mocked(console.warn).mockRestore()
  expect([...unexpected, ...missing]).toEqual([])
})
