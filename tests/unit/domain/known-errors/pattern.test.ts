import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_READ } from '../../../../src/domain/known-errors/match.ts'
import { MAX_PATTERN, MAX_WAYS, readPattern } from '../../../../src/domain/known-errors/pattern.ts'
import type { PatternNode, PatternSequence } from '../../../../src/domain/known-errors/pattern.ts'

const faultOf = (pattern: string) => {
  const read = readPattern(pattern)
  return read.ok ? undefined : read.fault
}
const wordsOf = (pattern: string) => {
  const read = readPattern(pattern)
  return read.ok ? read.words : read.fault
}

describe('a pattern of staff', () => {
  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['a'.repeat(MAX_PATTERN + 1), 'too-long'],
    ['abc(?=def)', 'look-around'],
    ['abc(?!def)', 'look-around'],
    ['(?<=abc)def', 'look-around'],
    ['(?<!abc)def', 'look-around'],
    [String.raw`(abc)\1`, 'back-reference'],
    [String.raw`(abc)\k<name>`, 'back-reference'],
    ['(?<name>abc)', 'syntax'],
    ['abc.*', 'unbounded'],
    [String.raw`abc\d+`, 'unbounded'],
    ['abc.{3,}', 'unbounded'],
    ['abc.{0,5000}', 'unbounded'],
    ['abc(?:d|e){2}', 'repeated-group'],
    ['abc(?:d{1,3}){1,3}', 'repeated-group'],
    ['abc(?:a|a){0,9}', 'repeated-group'],
    [String.raw`abc\p{L}`, 'unknown-escape'],
    [String.raw`abc\x41`, 'unknown-escape'],
    ['abc(', 'syntax'],
    ['abc)', 'syntax'],
    ['abc[', 'syntax'],
    ['abc[]', 'syntax'],
    ['abc[z-a]', 'syntax'],
    ['abc\\', 'syntax'],
    ['{2}abc', 'syntax'],
    ['abc|', 'syntax'],
    ['abc{2}{3}', 'syntax'],
    ['abc?+', 'syntax'],
    ['^{2}abc', 'syntax'],
    ['abc.{0,80}.{0,80}', 'too-many-ways'],
    ['.{1,9}', 'no-word'],
    ['abcd|.{1,9}', 'no-word'],
    ['(?:abcd)?.', 'no-word'],
  ])('%s is refused: %s', (pattern, fault) => {
    expect(faultOf(pattern)).toBe(fault)
  })

  it('says the words of which each line that fits has one', () => {
    expect(wordsOf('Failed to load .{1,40} chunk')).toEqual(['failed to load '])
    expect(wordsOf('(?:first|second) x')).toEqual(['first', 'second'])
    expect(wordsOf('one|two!')).toEqual(['one', 'two!'])
    expect(wordsOf(String.raw`\[ERR\] \d{1,3}`)).toEqual(['[err] '])
  })
})

/**
 * The steps of trying every way in which a pattern fits at one place, as an engine does when nothing fits in the end. Anchors
 * let everything through, which only adds ways.
 */
const stepsAt = (choices: readonly PatternSequence[], text: string): number => {
  let steps = 0
  const fits = (source: string, at: number) => {
    steps += 1
    return at < text.length && new RegExp(`^(?:${source})$`, 'i').test(text[at] ?? '')
  }
  function tryNode(node: PatternNode, at: number, next: (at: number) => void): void {
    if (node.kind === 'anchor') return next(at)
    if (node.kind === 'character') return fits(node.source, at) ? next(at + 1) : undefined
    if (node.kind === 'group') {
      for (const nodes of node.choices) trySequence(nodes, at, next)
      return node.optional ? next(at) : undefined
    }
    let most = 0
    while (most < node.to && fits(node.source, at + most)) most += 1
    for (let times = most; times >= node.from; times -= 1) next(at + times)
  }
  function trySequence([first, ...rest]: PatternSequence, at: number, next: (at: number) => void): void {
    if (first === undefined) return next(at)
    tryNode(first, at, (after) => trySequence(rest, after, next))
  }
  for (const nodes of choices) trySequence(nodes, 0, () => undefined)
  return steps
}

/** The most characters that one way looks at. */
const lengthOf = (choices: readonly PatternSequence[]): number =>
  choices.reduce((sum, nodes) => {
    const each = nodes.map((node) =>
      node.kind === 'repeat' ? node.to : node.kind === 'group' ? lengthOf(node.choices) : 1,
    )
    return sum + each.reduce((total, length) => total + length + 1, 0)
  }, 0)

const PARTS = ['a', 'aaa', '.', 'a?', 'a{0,9}', 'a{1,3}', '.{0,80}', 'a{0,200}', '(', '(?:', ')', ')?', ')*', ')+', '|']
const MORE_PARTS = [
  '[ab]',
  '[^b]{0,40}',
  String.raw`\w{0,30}`,
  String.raw`\1`,
  '(?=',
  '.*',
  'a+',
  '^',
  '$',
  String.raw`\b`,
]

describe('whatever is let through', () => {
  const part = fc.constantFrom(...PARTS, ...MORE_PARTS)
  const harmless = fc.constantFrom('a', 'aaa', '.', 'a?', 'a{0,9}', 'a{1,3}', '.{0,80}', '[ab]', '(a|aa)?', '(?:aaa|a)')
  /** Anything at all, and what is mostly let through: of the first alone hardly one in a hundred is. */
  const pattern = fc.oneof(
    fc.array(part, { minLength: 1, maxLength: 12 }),
    fc.array(harmless, { minLength: 1, maxLength: 6 }).map((parts) => ['aaa', ...parts]),
  )
  it('costs a bounded number of steps at each place of a line, whatever the line says', () => {
    let accepted = 0
    fc.assert(
      fc.property(pattern, fc.constantFrom('a', 'ab', 'aaaaab'), (parts, unit) => {
        const read = readPattern(parts.join(''))
        if (!read.ok) return
        accepted += 1
        expect(read.ways).toBeLessThanOrEqual(MAX_WAYS)
        const line = `${unit.repeat(4_000 / unit.length)}!`
        expect(stepsAt(read.choices, line)).toBeLessThanOrEqual(read.ways * lengthOf(read.choices))
      }),
      { numRuns: 2_000 },
    )
    expect(accepted).toBeGreaterThan(200)
  })

  it('never throws at anything that is typed, and is an expression that the engine knows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const read = readPattern(text)
        if (read.ok) expect(() => new RegExp(text, 'i')).not.toThrow()
      }),
    )
  })

  it('has a word of each line that fits', () => {
    const words = fc.stringMatching(/^[a-z ]{3,12}$/)
    fc.assert(
      fc.property(words, words, fc.stringMatching(/^[a-z ]{0,20}$/), (one, other, between) => {
        const read = readPattern(`${one}.{0,20}${other}`)
        if (!read.ok) throw new Error(read.fault)
        expect(read.words.some((word) => `${one}${between}${other}`.includes(word))).toBe(true)
      }),
    )
  })

  it('is tried with the beginning of a line only', () => {
    expect(MAX_READ).toBeLessThanOrEqual(600)
  })
})
