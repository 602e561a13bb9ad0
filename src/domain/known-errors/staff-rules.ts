import { isNoError, readableText } from './match.ts'
import type { LogText } from './match.ts'
import { readPattern } from './pattern.ts'

/** Where a card of staff's rule can lead to. */
export const STAFF_RULE_ACTIONS = ['settings', 'startup', 'networks', 'files', 'modification'] as const
export type StaffRuleAction = (typeof STAFF_RULE_ACTIONS)[number]

/** A rule that staff wrote, ready to be tried. */
export type StaffRule = { readonly id: string; readonly words: readonly string[]; readonly pattern: RegExp }

/** The newest line that a rule of staff names. */
export type StaffHit = { readonly id: string; readonly seq: number; readonly line: string }

/** Reads a stored rule; undefined for one that no check would let through today, which is then left out. */
export const staffRuleOf = ({ id, pattern }: { id: string; pattern: string }): StaffRule | undefined => {
  const read = readPattern(pattern)
  return read.ok ? { id, words: read.words, pattern: new RegExp(pattern, 'i') } : undefined
}

const fits = ({ words, pattern }: StaffRule, text: string, lower: string): boolean =>
  words.some((word) => lower.includes(word)) && pattern.test(text)

/** Whether a line of a log raises the rule: chat and what is only quoted never do. */
export const raises = (rule: StaffRule, line: string): boolean => {
  const text = readableText(line)
  return fits(rule, text, text.toLowerCase()) && !isNoError(text)
}

/** The hits of further lines: at most one of each rule, with its newest line. The order is the order of first sight. */
export const withStaffHits = (
  hits: readonly StaffHit[],
  lines: readonly LogText[],
  rules: readonly StaffRule[],
): readonly StaffHit[] => {
  if (rules.length === 0) return hits
  const found = new Map(hits.map((hit) => [hit.id, hit]))
  for (const { seq, text: line } of lines) {
    const text = readableText(line)
    const lower = text.toLowerCase()
    const rule = rules.find((each) => fits(each, text, lower))
    if (rule !== undefined && !isNoError(text)) found.set(rule.id, { id: rule.id, seq, line })
  }
  return found.size === hits.length && hits.every((hit) => found.get(hit.id) === hit) ? hits : [...found.values()]
}

/** The rule of staff that the newest of some lines raises; undefined where none does. */
export const newestStaffRule = (lines: readonly string[], rules: readonly StaffRule[]): StaffRule | undefined =>
  lines
    .map((line) => rules.find((rule) => raises(rule, line)))
    .filter((rule) => rule !== undefined)
    .at(-1)

export type ExampleFault =
  | { readonly kind: 'too-many' }
  | { readonly kind: 'none' }
  | { readonly kind: 'missed' | 'raised'; readonly line: string }

const MAX_EXAMPLES = 20
/** The lines of a field of examples. */
export const exampleLines = (text: string | null | undefined): readonly string[] =>
  (text ?? '').split(/\r?\n/).filter((line) => line.trim() !== '')

/** The faults of a pattern's example lines: each must raise its card. */
export const exampleFault = (pattern: string, text: string | null | undefined): ExampleFault | undefined => {
  const lines = exampleLines(text)
  if (lines.length === 0) return { kind: 'none' }
  if (lines.length > MAX_EXAMPLES) return { kind: 'too-many' }
  const rule = staffRuleOf({ id: '', pattern })
  // The pattern's own field says what is wrong with it.
  const missed = rule && lines.find((line) => !raises(rule, line))
  return missed === undefined ? undefined : { kind: 'missed', line: missed }
}

/** The faults of the lines that must not raise the card. */
export const counterExampleFault = (pattern: string, text: string | null | undefined): ExampleFault | undefined => {
  const lines = exampleLines(text)
  if (lines.length > MAX_EXAMPLES) return { kind: 'too-many' }
  const rule = staffRuleOf({ id: '', pattern })
  const raised = rule && lines.find((line) => raises(rule, line))
  return raised === undefined ? undefined : { kind: 'raised', line: raised }
}
