/** A longer value is not compared with a pattern: the time of a comparison grows with a power of the length. */
export const MAX_PATTERN_VALUE = 256
const MAX_PATTERN = 500

const DELIMITED = /^([^\w\s\\])(.*)\1([a-zA-Z]*)$/s
/** `D` and `A` only matter for line breaks, which no value contains. */
const IGNORED_FLAGS = /[DAu]/g

/** The expression of a template's rule, which is delimited as in PHP (`/…/i`), or undefined when it does not compile here. */
export function patternOf(text: string): RegExp | undefined {
  const [, , source, flags] = DELIMITED.exec(text) ?? []
  if (source === undefined || flags === undefined || source.length > MAX_PATTERN) return undefined
  try {
    return new RegExp(source, flags.replaceAll(IGNORED_FLAGS, ''))
  } catch {
    return undefined
  }
}

type Group = { repeats: boolean; hasChoice: boolean }

/** How often the part before this place is repeated: a count without a bound is what makes a nested one explode. */
const repetitionAt = (source: string, at: number): 'none' | 'bounded' | 'unbounded' => {
  const next = source[at]
  if (next === '*' || next === '+') return 'unbounded'
  const [, upTo, bound] = /^\{\d+(,)?(\d+)?\}/.exec(source.slice(at)) ?? []
  if (upTo !== undefined && bound === undefined) return 'unbounded'
  return bound !== undefined && Number(bound) > 16 ? 'unbounded' : 'bounded'
}

/** The place after a character class, which contains no groups. */
const endOfClass = (source: string, from: number): number => {
  let at = from + 1
  if (source[at] === '^') at += 1
  if (source[at] === ']') at += 1
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1
  return at
}

/**
 * Whether comparing with the pattern takes a bounded time: no repeated group contains another repetition or a choice, and
 * nothing refers back to an earlier group. Patterns that fail are refused when a template is saved, and never run.
 */
export function isBoundedPattern({ source }: RegExp): boolean {
  const open: Group[] = [{ repeats: false, hasChoice: false }]
  for (let at = 0; at < source.length; at += 1) {
    const innermost = open.at(-1)
    if (innermost === undefined) return false
    const character = source[at]
    if (character === '\\') {
      at += 1
      if (/[1-9k]/.test(source[at] ?? '')) return false
    } else if (character === '[') at = endOfClass(source, at)
    else if (character === '|') innermost.hasChoice = true
    else if (character === '(') {
      open.push({ repeats: false, hasChoice: false })
      continue
    } else if (character === ')') {
      open.pop()
      const outer = open.at(-1)
      if (outer === undefined) return false
      const isRepeated = repetitionAt(source, at + 1) === 'unbounded'
      if (isRepeated && (innermost.repeats || innermost.hasChoice)) return false
      outer.repeats ||= innermost.repeats
      outer.hasChoice ||= innermost.hasChoice
    }
    const around = open.at(-1)
    if (around && repetitionAt(source, at + 1) === 'unbounded') around.repeats = true
  }
  return true
}
