import { isBoundedPattern, patternOf } from './pattern.ts'

/** The rules of a variable that have no argument. */
const PLAIN = [
  'required',
  'nullable',
  'string',
  'integer',
  'numeric',
  'boolean',
  'alpha',
  'alpha_num',
  'alpha_dash',
  'ip',
  'ipv4',
  'ipv6',
  'url',
] as const
/** Those that take one number. */
const NUMBERS = ['min', 'max', 'size', 'gt', 'gte', 'lt', 'lte', 'digits'] as const
/** Those that take two numbers. */
const RANGES = ['between', 'digits_between'] as const
/** Those that take a list. */
const LISTS = ['in', 'not_in', 'starts_with', 'ends_with'] as const
/** They change nothing for a value that is always a text. */
const WITHOUT_EFFECT = ['present', 'sometimes', 'filled', 'bail']

export type Rule =
  | { readonly is: (typeof PLAIN)[number] }
  | { readonly is: (typeof NUMBERS)[number]; readonly bound: number }
  | { readonly is: (typeof RANGES)[number]; readonly from: number; readonly to: number }
  | { readonly is: (typeof LISTS)[number]; readonly items: readonly string[] }
  | { readonly is: 'regex' | 'not_regex'; readonly pattern: RegExp }

/** The rules in a template's text, and the parts that this product cannot follow. */
export type Rules = { readonly rules: readonly Rule[]; readonly unknown: readonly string[] }

const PATTERN = /^(?:not_)?regex:([^\w\s\\])/i

/** The end of a rule at `from`: the next bar, but a bar inside the delimiters of a pattern belongs to it. */
const endOfRule = (text: string, from: number): number => {
  const delimiter = PATTERN.exec(text.slice(from))?.[1]
  let at = from
  if (delimiter !== undefined) {
    at = text.indexOf(delimiter, from) + 1
    while (at < text.length && text[at] !== delimiter) at += text[at] === '\\' ? 2 : 1
  }
  const bar = text.indexOf('|', at)
  return bar === -1 ? text.length : bar
}

const split = (text: string): string[] => {
  const parts: string[] = []
  for (let from = 0; from <= text.length;) {
    const end = endOfRule(text, from)
    parts.push(text.slice(from, end).trim())
    from = end + 1
  }
  return parts.filter((part) => part !== '')
}

const isOne = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

const numbersOf = (text: string): number[] => text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)))

/** One rule; null for one without effect, undefined for one that cannot be followed. */
const ruleOf = (part: string): Rule | null | undefined => {
  const [word = '', argument = ''] = part.split(/:(.*)/s)
  const name = word.trim().toLowerCase()
  const own = name === 'int' ? 'integer' : name
  if (WITHOUT_EFFECT.includes(own)) return null
  if (isOne(PLAIN, own)) return { is: own }
  if (isOne(LISTS, own)) return { is: own, items: argument.split(',').map((item) => item.replaceAll('"', '')) }
  if (own === 'regex' || own === 'not_regex') {
    const pattern = patternOf(argument)
    return pattern && isBoundedPattern(pattern) ? { is: own, pattern } : undefined
  }
  const [first, second, ...more] = numbersOf(argument)
  if (first === undefined || !Number.isFinite(first) || more.length > 0) return undefined
  if (isOne(NUMBERS, own) && second === undefined) return { is: own, bound: first }
  if (isOne(RANGES, own) && second !== undefined && Number.isFinite(second)) return { is: own, from: first, to: second }
  return undefined
}

/** Reads the rules of a template's variable, which are separated by bars: `required|string|max:20`. */
export function parseRules(text: string): Rules {
  const rules: Rule[] = []
  const unknown: string[] = []
  for (const part of split(text)) {
    const rule = ruleOf(part)
    if (rule === undefined) unknown.push(part)
    else if (rule !== null) rules.push(rule)
  }
  return { rules, unknown }
}

type Matching<Each, Name> = Each extends { readonly is: infer Is } ? (Name extends Is ? Each : never) : never
type RuleOf<Name extends Rule['is']> = Matching<Rule, Name>

/** The first rule of a name. */
export const findRule = <Name extends Rule['is']>(rules: readonly Rule[], name: Name): RuleOf<Name> | undefined =>
  rules.find((rule): rule is RuleOf<Name> => rule.is === name)

/** Whether a rule of this name exists. */
export const hasRule = (rules: readonly Rule[], name: Rule['is']): boolean => rules.some(({ is }) => is === name)
