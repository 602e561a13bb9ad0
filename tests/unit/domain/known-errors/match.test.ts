import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { knownErrorIn, MAX_READ, withKnownErrors } from '../../../../src/domain/known-errors/match.ts'
import { KNOWN_ERRORS } from '../../../../src/domain/known-errors/rules.ts'
import { readTextOf } from './texts.ts'

const ESCAPE = String.fromCharCode(27)

describe('rules', () => {
  it('no repetition stands inside a repetition, and each is bounded or of one class', () => {
    for (const { id, pattern } of KNOWN_ERRORS) {
      // A group that repeats, or a dot that repeats without an end.
      expect(pattern.source, id).not.toMatch(/\)[*+{]/)
      expect(pattern.source, id).not.toMatch(/(?<!\\)\.[*+]/)
      expect(pattern.source, id).not.toMatch(/\{\d+,\}/)
      expect(pattern.flags, id).not.toContain('g')
    }
  })

  it('their ids and words are whole, and every language has their texts', () => {
    expect(new Set(KNOWN_ERRORS.map(({ id }) => id)).size).toBe(KNOWN_ERRORS.length)
    for (const { id, words } of KNOWN_ERRORS) {
      expect(words.map((word) => word.toLowerCase())).toEqual(words)
      for (const language of ['en', 'hu', 'de']) expect(readTextOf(language, id), `${language} ${id}`).toBeTruthy()
    }
  })
})

describe('a line', () => {
  it('is read without its colours', () => {
    expect(knownErrorIn(`${ESCAPE}[31mjava.io.IOException: No space${ESCAPE}[0m left on device`)).toBe('disk-full')
  })

  it('is read up to a bound', () => {
    expect(knownErrorIn(`${'x'.repeat(MAX_READ)} No space left on device`)).toBeUndefined()
  })

  it('of chat names nothing, whatever a player types', () => {
    const errors = fc.constantFrom('java.lang.OutOfMemoryError', 'No space left on device', 'EADDRINUSE', 'EACCES')
    fc.assert(
      fc.property(fc.stringMatching(/^\w{1,16}$/), fc.string(), errors, (name, before, error) => {
        expect(knownErrorIn(`[12:00:00] [Server thread/INFO]: <${name}> ${before}${error}`)).toBeUndefined()
      }),
    )
  })
})

describe('hits', () => {
  const full = { seq: 4, text: 'No space left on device' }
  it('are at most one of each rule, with the newest line', () => {
    const first = withKnownErrors([], [full, { seq: 5, text: 'Error: EACCES: permission denied' }])
    const next = withKnownErrors(first, [{ ...full, seq: 9 }])
    expect(next.map(({ id, seq }) => [id, seq])).toEqual([
      ['disk-full', 9],
      ['permission', 5],
    ])
  })

  it('stay the same object while nothing is found', () => {
    const hits = withKnownErrors([], [full])
    expect(withKnownErrors(hits, [{ seq: 7, text: 'Done (3.1s)!' }])).toBe(hits)
  })
})
