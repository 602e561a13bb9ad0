import type { Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'

/**
 * The parser takes quadratic time for these: more of them than any honest message has, and a page would stand still. `nested` is how
 * many containers stand in one line, `lines` bounds those that go on with a quote without its mark.
 */
const MOST = { nested: 20, containers: 300, lines: 2_000, pictures: 300, emphasis: 1_000, brackets: 2_000 } as const

const LINE_HEAD = /^[ \t>*+\-\d.)]+[\r\n]?/gm
/** Quotes and points of lists, which nest. A point may be empty. */
const CONTAINER = />|[-*+.)](?=[ \t\r\n])/g
const count = (text: string, marks: RegExp): number => text.match(marks)?.length ?? 0

const hasFewContainers = (text: string): boolean => {
  const nested = (text.match(LINE_HEAD) ?? []).map((head) => count(head, CONTAINER))
  return (
    nested.every((found) => found <= MOST.nested) && nested.reduce((sum, found) => sum + found, 0) <= MOST.containers
  )
}

const isReadable = (text: string): boolean =>
  count(text, /\r\n?|\n/g) <= MOST.lines &&
  hasFewContainers(text) &&
  count(text, /!\[/g) <= MOST.pictures &&
  count(text, /[*_]/g) <= MOST.emphasis &&
  count(text, /[[<`&]/g) <= MOST.brackets

/** Raw HTML is text, and so are definitions and underlined titles: people write such lines without meaning them. */
const TURNED_OFF = { disable: { null: ['htmlFlow', 'htmlText', 'definition', 'setextUnderline'] } }

/** The tree of a message in markdown; null for one that is only shown as text, because reading it would take too long. */
export const readMarkdown = (text: string): Root | null =>
  isReadable(text) ? fromMarkdown(text, { extensions: [TURNED_OFF] }) : null

const ALLOWED = new Set(['http:', 'https:', 'mailto:'])

/** The address of a link; null unless it is an absolute one to a page or a mailbox. */
export const safeAddress = (address: string): URL | null => {
  const url = URL.canParse(address) ? new URL(address) : null
  return url !== null && ALLOWED.has(url.protocol) ? url : null
}

export type TextPiece = { readonly text: string; readonly url: URL | null }

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]+/gi
/** Marks after an address that belong to the sentence around it. */
const ENDINGS = '.,:;!?*_~)]}'

/** The address that was found, without the end of its sentence: a closing bracket stays if it was opened within. */
const unended = (found: string): string => {
  let unopened = found.split(')').length - found.split('(').length
  let length = found.length
  while (ENDINGS.includes(found[length - 1] ?? ' ')) {
    if (found[length - 1] === ')') {
      if (unopened <= 0) break
      unopened -= 1
    }
    length -= 1
  }
  return found.slice(0, length)
}

/** A text cut at the addresses that were typed in it. */
export const piecesOf = (text: string): readonly TextPiece[] => {
  const pieces: TextPiece[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = unended(found)
    const url = safeAddress(address)
    if (url === null) continue
    if (index > from) pieces.push({ text: text.slice(from, index), url: null })
    pieces.push({ text: address, url })
    from = index + address.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), url: null })
  return pieces
}
