import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { faultOfWord, faultWord, MAX_VALUE_LENGTH, VALUE_FAULTS, valueFault } from '#domain/startup/check-value.ts'
import { MAX_PATTERN_VALUE } from '#domain/startup/pattern.ts'
import { parseRules } from '#domain/startup/rules.ts'

const faultOf = (rules: string, value: string) => {
  const fault = valueFault(parseRules(rules).rules, value)
  return fault && faultWord(fault)
}

/** Each rule with values that it takes, and values that it refuses with their fault. */
const CASES: readonly [rules: string, taken: readonly string[], refused: Readonly<Record<string, string>>][] = [
  ['required', ['a', '0'], { '': 'required', '  ': 'required' }],
  ['required|nullable', ['', 'a'], {}],
  ['required|in:,a', ['', 'a'], { b: 'listed:, a' }],
  ['nullable|integer', ['', '-3', '20'], { '1.5': 'whole', abc: 'whole', '1e3': 'whole', '0x10': 'whole' }],
  ['numeric', ['1.5', '-2'], { x: 'number', Infinity: 'number', '1,5': 'number' }],
  ['boolean', ['0', '1', 'true', 'FALSE'], { yes: 'switch', '2': 'switch' }],
  ['in:easy,hard', ['easy'], { Easy: 'listed:easy, hard', 'easy,hard': 'listed:easy, hard' }],
  ['not_in:root,admin', ['user'], { root: 'notListed' }],
  ['regex:/^[a-z]{2,4}$/', ['abc'], { abcde: 'pattern', ABC: 'pattern' }],
  ['not_regex:/\\s/', ['a'], { 'a b': 'pattern' }],
  ['min:3', ['abc', '123'], { ab: 'minLength:3', '12': 'minLength:3' }],
  ['max:3', ['abc', 'őűá', '👍👍👍'], { abcd: 'maxLength:3', '1000': 'maxLength:3' }],
  ['integer|min:3|max:20', ['3', '20'], { '2': 'atLeast:3', '21': 'atMost:20', '-5': 'atLeast:3', ab: 'whole' }],
  ['min:3|integer', ['3'], { ab: 'whole' }],
  ['integer|between:1,200', ['1', '200'], { '0': 'atLeast:1', '201': 'atMost:200' }],
  ['between:2,3', ['ab', 'abc'], { a: 'minLength:2', abcd: 'maxLength:3' }],
  ['size:4', ['abcd'], { abc: 'length:4' }],
  ['integer|size:4', ['4'], { '5': 'exactly:4' }],
  ['integer|gt:0', ['1'], { '0': 'moreThan:0' }],
  ['gt:2', ['abc'], { ab: 'minLength:3' }],
  ['numeric|lt:1.5', ['1.4'], { '1.5': 'lessThan:1.5' }],
  ['integer|gte:1|lte:2', ['1', '2'], { '0': 'atLeast:1', '3': 'atMost:2' }],
  ['digits:5', ['25565'], { '123': 'digits:5', '-1234': 'digits:5', '1234a': 'digits:5' }],
  ['digits_between:1,5', ['1', '25565'], { '123456': 'digitsBetween:1–5' }],
  ['alpha', ['abcő'], { a1: 'letters' }],
  ['alpha_num', ['a1'], { 'a-1': 'lettersAndDigits' }],
  ['alpha_dash', ['a-1_b'], { 'a b': 'lettersDigitsDashes', 'a;b': 'lettersDigitsDashes' }],
  ['ip', ['192.0.2.1', '2001:db8::1', '::1'], { '256.1.1.1': 'ip', 'a.b': 'ip', '1.2.3': 'ip', '::1]/x[': 'ip' }],
  ['ipv4', ['192.0.2.1'], { '::1': 'ipv4', '0x7f.1.1.1': 'ipv4' }],
  ['ipv6', ['2001:db8::1'], { '192.0.2.1': 'ipv6', ':::': 'ipv6' }],
  [
    'url',
    ['https://example.org/a?b', 'http://[::1]:80'],
    { 'javascript:alert(1)': 'url', 'example.org': 'url', 'http://': 'url' },
  ],
  ['starts_with:a,b', ['ax', 'b'], { c: 'startsWith:a, b' }],
  ['ends_with:.js', ['index.js'], { 'index.ts': 'endsWith:.js' }],
]

describe('a value', () => {
  it.each(CASES)('is checked by %s', (rules, taken, refused) => {
    expect(taken.map((value) => [value, faultOf(rules, value)])).toEqual(taken.map((value) => [value, undefined]))
    const expected = Object.entries(refused).map(([value, fault]) => [value, `value.${fault}`])
    expect(expected.map(([value = '']) => [value, faultOf(rules, value)])).toEqual(expected)
  })

  it.each(['a\nb', 'a\rb', 'a\0b', 'a\u001b[31m', '\u007f', 'a\u2028b', 'a\u0085b'])(
    'is one line without control characters, whatever the rules: %j [case 114]',
    (value) => {
      expect(faultOf('', value)).toBe('value.oneLine')
      expect(faultOf('regex:/./s', value)).toBe('value.oneLine')
    },
  )

  it.each(['"; rm -rf /', '$(id)', '`id`', '--flag', '{{config.token}}', '{{env.PATH}}', '${HOST}'])(
    'may be %j: it is one argument, and nothing reads it again [case 114]',
    (value) => {
      expect(faultOf('required|string', value)).toBeUndefined()
    },
  )

  it('has a longest length, and a shorter one where it is compared with a pattern', () => {
    expect(faultOf('', 'a'.repeat(MAX_VALUE_LENGTH))).toBeUndefined()
    expect(faultOf('', 'a'.repeat(MAX_VALUE_LENGTH + 1))).toBe(`value.maxLength:${MAX_VALUE_LENGTH}`)
    expect(faultOf('regex:/^a+$/', 'a'.repeat(MAX_PATTERN_VALUE + 1))).toBe(`value.maxLength:${MAX_PATTERN_VALUE}`)
  })

  it('that is empty breaks no other rule than required', () => {
    for (const [rules] of CASES.filter(([each]) => !each.includes('required'))) {
      expect([rules, faultOf(rules, '')]).toEqual([rules, undefined])
    }
  })

  test('within a range of numbers is taken, and every other whole number is refused with the nearer bound', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.integer(), (one, other, value) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const expected = value < from ? `value.atLeast:${from}` : value > to ? `value.atMost:${to}` : undefined
        expect(faultOf(`integer|between:${from},${to}`, String(value))).toBe(expected)
      }),
    )
  })

  test('of its list is taken, and every other one is refused', () => {
    const items = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(items, fc.stringMatching(/^[a-z]{1,8}$/), (list, value) => {
        const fault = list.includes(value) ? undefined : `value.listed:${list.join(', ')}`
        expect(faultOf(`required|in:${list.join(',')}`, value)).toBe(fault)
      }),
    )
  })
})

describe('a fault on the wire', () => {
  it('is read as it was written', () => {
    for (const code of VALUE_FAULTS) {
      expect(faultOfWord(faultWord({ code, limit: '1:2, 3' }))).toEqual({ code, limit: '1:2, 3' })
      expect(faultOfWord(faultWord({ code }))).toEqual({ code })
    }
  })

  it.each(['required', 'value.', 'value.constructor', 'value'])('%s is another word', (word) => {
    expect(faultOfWord(word)).toBeUndefined()
  })
})
