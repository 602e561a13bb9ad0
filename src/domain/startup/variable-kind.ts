import { findRule, hasRule, type Rule } from './rules.ts'

/** The control that fits the rules of a variable. */
export type VariableKind =
  | { readonly is: 'text' }
  | { readonly is: 'number'; readonly minimum: number | null; readonly maximum: number | null }
  | { readonly is: 'choice'; readonly options: readonly string[] }
  /** `on` and `off` are the two texts that the program reads. */
  | { readonly is: 'switch'; readonly on: string; readonly off: string }

const PAIRS = [
  ['1', '0'],
  ['true', 'false'],
  ['on', 'off'],
  ['yes', 'no'],
] as const

/** The pair of texts that a switch writes: in the spelling of the default, so that the program understands it. */
const pairOf = (items: readonly string[], preset: string): Extract<VariableKind, { is: 'switch' }> | undefined => {
  const lower = items.map((item) => item.toLowerCase())
  const pair = PAIRS.find(([on, off]) => lower.length === 2 && lower.includes(on) && lower.includes(off))
  if (pair === undefined) return undefined
  const spelled = (word: string) => items[lower.indexOf(word)] ?? word
  const [on, off] = pair.map(spelled)
  return on === undefined || off === undefined || preset === '' ? undefined : { is: 'switch', on, off }
}

const boundOf = (rules: readonly Rule[], side: 'from' | 'to'): number | null => {
  const between = findRule(rules, 'between')
  if (between) return between[side]
  return findRule(rules, side === 'from' ? 'min' : 'max')?.bound ?? null
}

/** Which control a variable gets, by its rules and its default. */
export function variableKind(rules: readonly Rule[], preset: string): VariableKind {
  const listed = findRule(rules, 'in')
  if (listed) return pairOf(listed.items, preset) ?? { is: 'choice', options: listed.items }
  if (hasRule(rules, 'boolean')) {
    const words = /^(?:true|false)$/i.test(preset) ? ['true', 'false'] : ['1', '0']
    return pairOf(words, preset === '' ? '0' : preset) ?? { is: 'text' }
  }
  if (hasRule(rules, 'integer') || hasRule(rules, 'numeric')) {
    return { is: 'number', minimum: boundOf(rules, 'from'), maximum: boundOf(rules, 'to') }
  }
  return { is: 'text' }
}

const SECRET_WORDS =
  /(?:^|_)(?:PWD?|GSLT|OTP|\w*STEAM_?ACC(?:OUNT)?|\w*TOKEN|\w*PASS(?:WORD|WD|PHRASE)?|\w*SECRET|\w*KEY|LICEN[CS]E)(?:_|$|\d)/i

/**
 * Whether a variable's value is hidden: its template says so, or its name does, because templates from elsewhere do not
 * say which of theirs are secret.
 */
export const isSecretVariable = (variable: {
  readonly environmentVariable: string
  readonly secret?: boolean | undefined
}): boolean => variable.secret === true || SECRET_WORDS.test(variable.environmentVariable)
