import { describe, expect, it } from 'vitest'
import { MAX_READ } from '../../../../src/domain/known-errors/match.ts'
import {
  counterExampleFault,
  exampleFault,
  newestStaffRule,
  raises,
  staffRuleOf,
  withStaffHits,
} from '../../../../src/domain/known-errors/staff-rules.ts'

const ruleOf = (id: string, pattern: string) => {
  const rule = staffRuleOf({ id, pattern })
  if (rule === undefined) throw new Error(`refused: ${pattern}`)
  return rule
}
const ESCAPE = String.fromCharCode(27)

describe("a rule of staff's", () => {
  const rule = ruleOf('one', 'The oven is .{1,20} cold')

  it('is raised by a line in any case, without its colours', () => {
    expect(raises(rule, `[12:00:00 ERROR]: the ${ESCAPE}[31mOVEN is${ESCAPE}[0m far too cold`)).toBe(true)
    expect(raises(rule, 'The oven is warm')).toBe(false)
  })

  it('is not raised by chat, by help, or beyond the part of a line that is read', () => {
    expect(raises(rule, '[12:00:00] [Server thread/INFO]: <Anna> The oven is too cold')).toBe(false)
    expect(raises(rule, 'Help: The oven is too cold')).toBe(false)
    expect(raises(rule, `${'x'.repeat(MAX_READ)} The oven is too cold`)).toBe(false)
  })

  it('is left out when its pattern is one that nobody could save', () => {
    for (const pattern of ['(a+)+b', '(', '', 'abc.*']) expect(staffRuleOf({ id: 'old', pattern })).toBeUndefined()
  })

  it('is the one of the newest line that raises any, and none where chat alone fits', () => {
    const rules = [rule, ruleOf('two', 'no more flour')]
    const lines = ['The oven is too cold', 'There is no more flour left', 'Goodbye']
    expect(newestStaffRule(lines, rules)?.id).toBe('two')
    expect(newestStaffRule(lines.slice(0, 1), rules)?.id).toBe('one')
    expect(newestStaffRule(['[12:00:00] [Server thread/INFO]: <Anna> The oven is too cold'], rules)).toBeUndefined()
    expect(newestStaffRule([], rules)).toBeUndefined()
  })

  it('has one hit, with its newest line; of two rules that fit a line the first one is raised', () => {
    const rules = [rule, ruleOf('two', 'The oven')]
    const hits = withStaffHits(
      [],
      [
        { seq: 1, text: 'The oven is too cold' },
        { seq: 2, text: 'The oven hums' },
      ],
      rules,
    )
    const next = withStaffHits(hits, [{ seq: 5, text: 'The oven is so cold' }], rules)
    expect(next.map(({ id, seq }) => [id, seq])).toEqual([
      ['one', 5],
      ['two', 2],
    ])
    expect(withStaffHits(next, [{ seq: 6, text: 'Done' }], rules)).toBe(next)
  })
})

describe('example lines', () => {
  const pattern = 'oven is cold'
  it('must each raise the card', () => {
    expect(exampleFault(pattern, 'The oven is cold\n\nOVEN IS COLD!')).toBeUndefined()
    expect(exampleFault(pattern, 'The oven is cold\nThe oven is warm')).toEqual({
      kind: 'missed',
      line: 'The oven is warm',
    })
    expect(exampleFault(pattern, ' \n')).toEqual({ kind: 'none' })
    expect(exampleFault(pattern, undefined)).toEqual({ kind: 'none' })
    expect(exampleFault(pattern, `${'oven is cold\n'.repeat(21)}`)).toEqual({ kind: 'too-many' })
  })

  it('that must not fit are refused when they do', () => {
    expect(counterExampleFault(pattern, 'The oven is warm\n<Anna> oven is cold')).toBeUndefined()
    expect(counterExampleFault(pattern, undefined)).toBeUndefined()
    expect(counterExampleFault(pattern, 'warm\nThe oven is cold')).toEqual({ kind: 'raised', line: 'The oven is cold' })
    expect(counterExampleFault(pattern, 'x\n'.repeat(21))).toEqual({ kind: 'too-many' })
  })

  it('say nothing about a pattern that its own field refuses', () => {
    expect(exampleFault('(a+)+', 'aaa')).toBeUndefined()
    expect(counterExampleFault('(a+)+', 'aaa')).toBeUndefined()
  })
})
