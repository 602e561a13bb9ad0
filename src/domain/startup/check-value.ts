import { MAX_PATTERN_VALUE } from './pattern.ts'
import { findRule, hasRule, type Rule } from './rules.ts'

/** The longest value: an argument of a program on the wire to the agents is no longer. */
export const MAX_VALUE_LENGTH = 4_096

/** Why a value is refused. Each has a sentence in the catalogs under `errors.values`. */
export const VALUE_FAULTS = [
  'required',
  'oneLine',
  'whole',
  'number',
  'switch',
  'listed',
  'notListed',
  'pattern',
  'atLeast',
  'atMost',
  'moreThan',
  'lessThan',
  'exactly',
  'minLength',
  'maxLength',
  'length',
  'digits',
  'digitsBetween',
  'letters',
  'lettersAndDigits',
  'lettersDigitsDashes',
  'ip',
  'ipv4',
  'ipv6',
  'url',
  'startsWith',
  'endsWith',
  'ownPort',
  'locked',
  'unknown',
] as const
export type ValueFaultCode = (typeof VALUE_FAULTS)[number]
/** `limit` is the bound or the list that the sentence names. */
export type ValueFault = { readonly code: ValueFaultCode; readonly limit?: string }

const fault = (code: ValueFaultCode, limit?: number | string): ValueFault =>
  limit === undefined ? { code } : { code, limit: String(limit) }

// Line breaks would end a line of a configuration file, and NUL the argument itself.
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/
const WHOLE = /^[+-]?\d+$/
const SWITCH = ['0', '1', 'true', 'false']

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`)
/** An address in square brackets is what a URL reads as IPv6, by the rules of every browser and of Node. */
const isIpv6 = (value: string): boolean => /^[0-9a-fA-F:.]{2,45}$/.test(value) && URL.canParse(`http://[${value}]/`)
const isIpv4 = (value: string): boolean => IPV4.test(value)
const isUrl = (value: string): boolean => /^https?:\/\/[^\s/]/i.test(value) && URL.canParse(value)

const PLAIN: Partial<Readonly<Record<Rule['is'], readonly [ValueFaultCode, (value: string) => boolean]>>> = {
  integer: ['whole', (value) => WHOLE.test(value)],
  numeric: ['number', (value) => NUMBER.test(value)],
  boolean: ['switch', (value) => SWITCH.includes(value.toLowerCase())],
  alpha: ['letters', (value) => /^[\p{L}\p{M}]+$/u.test(value)],
  alpha_num: ['lettersAndDigits', (value) => /^[\p{L}\p{M}\p{N}]+$/u.test(value)],
  alpha_dash: ['lettersDigitsDashes', (value) => /^[\p{L}\p{M}\p{N}_-]+$/u.test(value)],
  ip: ['ip', (value) => isIpv4(value) || isIpv6(value)],
  ipv4: ['ipv4', isIpv4],
  ipv6: ['ipv6', isIpv6],
  url: ['url', isUrl],
}

type Compared = { readonly value: string; readonly size: number; readonly isNumber: boolean }
type Bounds = readonly [number: ValueFaultCode, text: ValueFaultCode]

/** Bounds mean the number where the value is one by its rules, and the length of every other value. */
const outside = ({ size, isNumber }: Compared, rule: Rule): ValueFault | undefined => {
  const say = ([number, text]: Bounds, bound: number) => fault(isNumber ? number : text, bound)
  switch (rule.is) {
    case 'min':
    case 'gte':
      return size < rule.bound ? say(['atLeast', 'minLength'], rule.bound) : undefined
    case 'max':
    case 'lte':
      return size > rule.bound ? say(['atMost', 'maxLength'], rule.bound) : undefined
    case 'gt':
      return size <= rule.bound ? say(['moreThan', 'minLength'], isNumber ? rule.bound : rule.bound + 1) : undefined
    case 'lt':
      return size >= rule.bound ? say(['lessThan', 'maxLength'], isNumber ? rule.bound : rule.bound - 1) : undefined
    case 'size':
      return size === rule.bound ? undefined : say(['exactly', 'length'], rule.bound)
    case 'between':
      if (size < rule.from) return say(['atLeast', 'minLength'], rule.from)
      return size > rule.to ? say(['atMost', 'maxLength'], rule.to) : undefined
    default:
      return undefined
  }
}

const digitsFault = (value: string, from: number, to: number): ValueFault | undefined => {
  if (/^\d+$/.test(value) && value.length >= from && value.length <= to) return undefined
  return from === to ? fault('digits', from) : fault('digitsBetween', `${from}–${to}`)
}

const listFault = (value: string, rule: Rule): ValueFault | undefined => {
  if (rule.is === 'in' && !rule.items.includes(value)) return fault('listed', rule.items.join(', '))
  if (rule.is === 'not_in' && rule.items.includes(value)) return fault('notListed')
  if (rule.is === 'starts_with' && !rule.items.some((item) => value.startsWith(item))) {
    return fault('startsWith', rule.items.join(', '))
  }
  if (rule.is === 'ends_with' && !rule.items.some((item) => value.endsWith(item))) {
    return fault('endsWith', rule.items.join(', '))
  }
  return undefined
}

const patternFault = (value: string, { is, pattern }: Extract<Rule, { pattern: RegExp }>): ValueFault | undefined => {
  if (value.length > MAX_PATTERN_VALUE) return fault('maxLength', MAX_PATTERN_VALUE)
  return pattern.test(value) === (is === 'regex') ? undefined : fault('pattern')
}

const broken = (compared: Compared, rule: Rule): ValueFault | undefined => {
  const { value } = compared
  if (rule.is === 'digits') return digitsFault(value, rule.bound, rule.bound)
  if (rule.is === 'digits_between') return digitsFault(value, rule.from, rule.to)
  if (rule.is === 'regex' || rule.is === 'not_regex') return patternFault(value, rule)
  const [code, holds] = PLAIN[rule.is] ?? []
  if (code !== undefined && holds !== undefined) return holds(value) ? undefined : fault(code)
  return outside(compared, rule) ?? listFault(value, rule)
}

/**
 * Why a variable does not accept a value, or undefined. Page, site and control plane decide by this one function. An empty
 * value is only refused by `required`: everything else is about a value.
 */
export function valueFault(rules: readonly Rule[], value: string): ValueFault | undefined {
  if (CONTROL.test(value)) return fault('oneLine')
  if (value.length > MAX_VALUE_LENGTH) return fault('maxLength', MAX_VALUE_LENGTH)
  if (value.trim() === '') {
    const needsOne = hasRule(rules, 'required') && !hasRule(rules, 'nullable')
    const mayBeEmpty = findRule(rules, 'in')?.items.includes('') ?? false
    return needsOne && !mayBeEmpty ? fault('required') : undefined
  }
  const isNumber = (hasRule(rules, 'integer') || hasRule(rules, 'numeric')) && NUMBER.test(value)
  const compared = { value, isNumber, size: isNumber ? Number(value) : [...value].length }
  // "Not a number" says more than a bound of something that is none.
  const isKind = ({ is }: Rule): boolean => PLAIN[is] !== undefined
  for (const rule of [...rules.filter(isKind), ...rules.filter((each) => !isKind(each))]) {
    const found = broken(compared, rule)
    if (found) return found
  }
  return undefined
}

/** A fault as one word on the wire between the programs; the site makes a sentence of it. */
export const faultWord = ({ code, limit }: ValueFault): string =>
  limit === undefined ? `value.${code}` : `value.${code}:${limit}`

/** The fault that a word says, or undefined for another kind of word. */
export function faultOfWord(word: string): ValueFault | undefined {
  const [, code, limit] = /^value\.(\w+)(?::(.*))?$/s.exec(word) ?? []
  const known = VALUE_FAULTS.find((each) => each === code)
  return known && fault(known, limit)
}
