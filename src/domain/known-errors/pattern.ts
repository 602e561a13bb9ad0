/** A longer pattern is not read by people either. */
export const MAX_PATTERN = 300
/** A line without one of a pattern's words is never tried with it; shorter words are in every line. */
const MIN_WORD = 3
/** The most ways in which a pattern may try to fit at one place of a line. */
export const MAX_WAYS = 1_000
const MAX_REPEATS = 200
const MAX_DEPTH = 8

export type PatternFault =
  | 'empty'
  | 'too-long'
  | 'look-around'
  | 'back-reference'
  | 'unbounded'
  | 'repeated-group'
  | 'unknown-escape'
  | 'syntax'
  | 'too-many-ways'
  | 'no-word'

/** The parts of a pattern. A repetition repeats one character only, and a group is there once or not at all. */
export type PatternNode =
  | { readonly kind: 'character'; readonly source: string; readonly literal: string | null }
  | { readonly kind: 'anchor'; readonly source: string }
  | { readonly kind: 'repeat'; readonly source: string; readonly from: number; readonly to: number }
  | { readonly kind: 'group'; readonly choices: readonly PatternSequence[]; readonly optional: boolean }
export type PatternSequence = readonly PatternNode[]

export type ReadPattern =
  | {
      readonly ok: true
      readonly choices: readonly PatternSequence[]
      /** Lower-case words: each line that fits has at least one of them. */
      readonly words: readonly string[]
      /** In how many ways the pattern tries to fit at one place, at most. */
      readonly ways: number
    }
  | { readonly ok: false; readonly fault: PatternFault }

class Refused extends Error {
  readonly fault: PatternFault
  constructor(fault: PatternFault) {
    super(fault)
    this.fault = fault
  }
}

type Cursor = { readonly text: string; at: number }

const CLASS = /^\[\^?(?:[^\\\]]|\\[dDwWsStr\\\][\-^./])+\]/
const REPEAT = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/
const KNOWN_ESCAPE = /^\\(?:[dDwWsSt]|[^\da-zA-Z])/

const readEscape = (cursor: Cursor, rest: string): PatternNode => {
  if (/^\\[bB]/.test(rest)) {
    cursor.at += 2
    return { kind: 'anchor', source: rest.slice(0, 2) }
  }
  if (/^\\(?:[1-9]|k)/.test(rest)) throw new Refused('back-reference')
  if (!KNOWN_ESCAPE.test(rest)) throw new Refused(rest.length < 2 ? 'syntax' : 'unknown-escape')
  cursor.at += 2
  const isLiteral = /^\\[^a-zA-Z]/.test(rest)
  return { kind: 'character', source: rest.slice(0, 2), literal: isLiteral ? rest.slice(1, 2) : null }
}

const readClass = (cursor: Cursor, rest: string): PatternNode => {
  const found = CLASS.exec(rest)?.[0]
  if (found === undefined) throw new Refused('syntax')
  cursor.at += found.length
  return { kind: 'character', source: found, literal: null }
}

const readGroup = (cursor: Cursor, depth: number): PatternNode => {
  const rest = cursor.text.slice(cursor.at)
  if (/^\(\?<?[=!]/.test(rest)) throw new Refused('look-around')
  if (rest.startsWith('(?') && !rest.startsWith('(?:')) throw new Refused('syntax')
  cursor.at += rest.startsWith('(?:') ? 3 : 1
  const choices = readChoices(cursor, depth + 1)
  if (cursor.text[cursor.at] !== ')') throw new Refused('syntax')
  cursor.at += 1
  return { kind: 'group', choices, optional: false }
}

const readAtom = (cursor: Cursor, depth: number): PatternNode => {
  const rest = cursor.text.slice(cursor.at)
  const first = rest[0] ?? ''
  if (first === '(') return readGroup(cursor, depth)
  if (first === '[') return readClass(cursor, rest)
  if (first === '\\') return readEscape(cursor, rest)
  if ('*+?{}]'.includes(first)) throw new Refused('syntax')
  cursor.at += 1
  if (first === '^' || first === '$') return { kind: 'anchor', source: first }
  return { kind: 'character', source: first, literal: first === '.' ? null : first }
}

/** How often the atom before the cursor repeats, or undefined when it does not. */
const readTimes = (cursor: Cursor): { from: number; to: number } | undefined => {
  const rest = cursor.text.slice(cursor.at)
  if (rest.startsWith('*') || rest.startsWith('+')) throw new Refused('unbounded')
  if (rest.startsWith('?')) {
    cursor.at += 1
    return { from: 0, to: 1 }
  }
  if (!rest.startsWith('{')) return undefined
  const found = REPEAT.exec(rest)
  if (found === null) throw new Refused('syntax')
  const [whole, least, comma, most] = found
  if (comma !== undefined && most === undefined) throw new Refused('unbounded')
  const from = Number(least)
  const to = Number(most ?? least)
  if (to < from || to === 0) throw new Refused('syntax')
  if (to > MAX_REPEATS) throw new Refused('unbounded')
  cursor.at += whole.length
  return { from, to }
}

const repeated = (atom: PatternNode, times: { from: number; to: number }): PatternNode => {
  if (atom.kind === 'character') return { kind: 'repeat', source: atom.source, ...times }
  if (atom.kind !== 'group') throw new Refused('syntax')
  if (times.from !== 0 || times.to !== 1) throw new Refused('repeated-group')
  return { ...atom, optional: true }
}

const readSequence = (cursor: Cursor, depth: number): PatternSequence => {
  const nodes: PatternNode[] = []
  while (cursor.at < cursor.text.length && !'|)'.includes(cursor.text[cursor.at] ?? '')) {
    const atom = readAtom(cursor, depth)
    const times = readTimes(cursor)
    nodes.push(times === undefined ? atom : repeated(atom, times))
    // A second quantifier, as in `a{1,3}?` or `a?+`, has no use here.
    if (times !== undefined && '*+?{'.includes(cursor.text[cursor.at] ?? ' ')) throw new Refused('syntax')
  }
  if (nodes.length === 0) throw new Refused('syntax')
  return nodes
}

function readChoices(cursor: Cursor, depth: number): readonly PatternSequence[] {
  if (depth > MAX_DEPTH) throw new Refused('syntax')
  const choices = [readSequence(cursor, depth)]
  while (cursor.text[cursor.at] === '|') {
    cursor.at += 1
    choices.push(readSequence(cursor, depth))
  }
  return choices
}

const waysOfNode = (node: PatternNode): number => {
  if (node.kind === 'repeat') return node.to - node.from + 1
  if (node.kind === 'group') return waysOf(node.choices) + (node.optional ? 1 : 0)
  return 1
}

/** Choices that begin alike are each counted in full, so that an ambiguous alternation costs what it can cost. */
function waysOf(choices: readonly PatternSequence[]): number {
  return choices.reduce((sum, nodes) => sum + nodes.reduce((product, node) => product * waysOfNode(node), 1), 0)
}

const shortest = (words: readonly string[]): number => Math.min(...words.map(({ length }) => length))

/** The words of which one is in each text that fits the sequence; none when there is no such word. */
const wordsOfSequence = (nodes: PatternSequence): readonly string[] => {
  const found: (readonly string[])[] = []
  let run = ''
  for (const node of nodes) {
    if (node.kind === 'character' && node.literal !== null) run += node.literal.toLowerCase()
    else {
      if (run !== '') found.push([run])
      run = ''
      if (node.kind === 'group' && !node.optional) found.push(wordsOf(node.choices))
    }
  }
  if (run !== '') found.push([run])
  const usable = found.filter((words) => words.length > 0 && shortest(words) >= MIN_WORD)
  return usable.toSorted((one, other) => shortest(other) - shortest(one))[0] ?? []
}

function wordsOf(choices: readonly PatternSequence[]): readonly string[] {
  const all = choices.map(wordsOfSequence)
  return all.some((words) => words.length === 0) ? [] : all.flat()
}

const read = (text: string): ReadPattern => {
  if (text.trim() === '') throw new Refused('empty')
  if (text.length > MAX_PATTERN) throw new Refused('too-long')
  const cursor: Cursor = { text, at: 0 }
  const choices = readChoices(cursor, 0)
  if (cursor.at < text.length) throw new Refused('syntax')
  const ways = waysOf(choices)
  if (ways > MAX_WAYS) throw new Refused('too-many-ways')
  const words = wordsOf(choices)
  if (words.length === 0) throw new Refused('no-word')
  return { ok: true, choices, words, ways }
}

/**
 * Reads a pattern of staff. It is an expression without a repetition in a repetition or without an end, without
 * look-around and back-references, so that a line costs at most its length times `MAX_WAYS` tries, whatever it says.
 */
export function readPattern(text: string): ReadPattern {
  try {
    const pattern = read(text)
    // The engine's own opinion, for example about a range that is out of order.
    void new RegExp(text, 'i')
    return pattern
  } catch (error) {
    return { ok: false, fault: error instanceof Refused ? error.fault : 'syntax' }
  }
}
