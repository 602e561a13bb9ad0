import { describe, expect, it, test } from 'vitest'
import { isBoundedPattern, MAX_PATTERN_VALUE, patternOf } from '#domain/startup/pattern.ts'

describe('the pattern of a rule', () => {
  it.each([
    ['/^[a-z]+$/i', 'ABC', true],
    ['#^\\d{1,3}$#', '1234', false],
    ['~^(on|off)$~u', 'on', true],
  ])('%s is delimited as in PHP', (text, value, expected) => {
    expect(patternOf(text)?.test(value)).toBe(expected)
  })

  it.each(['^[a-z]+$', '/[a-z/', '/a/xyz', `/${'a'.repeat(501)}/`, ''])('%s is none', (text) => {
    expect(patternOf(text)).toBeUndefined()
  })
})

describe('a pattern takes a bounded time', () => {
  it.each([
    '^[a-z]+$',
    '^1\\.\\d{1,2}(\\.\\d{1,2})?$',
    '^(true|false)$',
    '^([\\w\\d._-]+)(\\.jar)$',
    '^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$',
    '[)(+*|]+',
  ])('%s', (source) => {
    expect(isBoundedPattern(new RegExp(source))).toBe(true)
  })

  it.each([
    '^(a+)+$',
    '(a*)*b',
    '(a|a)*c',
    '((a+)b?)+$',
    '(?:\\d+,?){2,}x',
    '^(.)\\1+$',
    '(?<n>a)\\k<n>',
    '(a{1,99})+',
  ])('%s does not', (source) => {
    expect(isBoundedPattern(new RegExp(source))).toBe(false)
  })

  test('the worst bounded one ends on the longest value that is compared', () => {
    const worst = patternOf('/^\\d+\\d+\\d+x$/')
    expect(worst && isBoundedPattern(worst)).toBe(true)
    expect(worst?.test('1'.repeat(MAX_PATTERN_VALUE))).toBe(false)
  })
})
