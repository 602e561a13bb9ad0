import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { findRule, hasRule, parseRules } from '#domain/startup/rules.ts'

describe('the rules of a template', () => {
  it('are separated by bars, in any case and with empty parts', () => {
    expect(parseRules('required|String|max:20|')).toEqual({
      rules: [{ is: 'required' }, { is: 'string' }, { is: 'max', bound: 20 }],
      unknown: [],
    })
  })

  it('keep the bars inside a pattern', () => {
    const { rules, unknown } = parseRules('required|regex:/^(a|b\\/c)$/|max:5')
    expect(unknown).toEqual([])
    expect(rules.map(({ is }) => is)).toEqual(['required', 'regex', 'max'])
    expect(findRule(rules, 'regex')?.pattern.test('b/c')).toBe(true)
  })

  it.each([
    ['in:easy,"very hard",', ['easy', 'very hard', '']],
    ['ends_with:.js,.mjs', ['.js', '.mjs']],
  ])('%s lists its items', (text, items) => {
    expect(parseRules(text).rules).toEqual([{ is: text.split(':')[0], items }])
  })

  it.each([
    ['int', { is: 'integer' }],
    ['between:1,100', { is: 'between', from: 1, to: 100 }],
    ['digits_between:1,5', { is: 'digits_between', from: 1, to: 5 }],
    ['size:32', { is: 'size', bound: 32 }],
  ])('%s is understood', (text, rule) => {
    expect(parseRules(text)).toEqual({ rules: [rule], unknown: [] })
  })

  it.each(['present', 'sometimes', 'filled', 'bail'])('%s changes nothing', (text) => {
    expect(parseRules(text)).toEqual({ rules: [], unknown: [] })
  })

  it.each(['max', 'max:x', 'max:1,2', 'between:1', 'regex:^a$', 'regex:/(a+)+$/', 'exists:servers', 'constructor'])(
    '%s cannot be followed, and is named',
    (text) => {
      expect(parseRules(`string|${text}`)).toEqual({ rules: [{ is: 'string' }], unknown: [text] })
    },
  )

  test('any text is read to its end, and every part is a rule, without effect, or named', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const { rules, unknown } = parseRules(text)
        expect(rules.length + unknown.length).toBeLessThanOrEqual(text.split('|').length)
      }),
    )
  })

  test('a rule is found by its name', () => {
    const { rules } = parseRules('required|max:3')
    expect([hasRule(rules, 'required'), hasRule(rules, 'nullable')]).toEqual([true, false])
    expect(findRule(rules, 'max')?.bound).toBe(3)
    expect(findRule(rules, 'min')).toBeUndefined()
  })
})
