import type { Nodes, Parents } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { TICKET_BOUNDS } from '#contracts/http/ticket.ts'

/** The syntax that is switched off where messages are shown: such lines are read as they were typed (decision 88). */
const TURNED_OFF = { disable: { null: ['htmlFlow', 'htmlText', 'definition', 'setextUnderline'] } }

/** The parser takes quadratic time, so it never sees more: a list shows fewer characters, each of which has at most two units. */
const LONGEST = 2 * TICKET_BOUNDS.shownMessage

/** Marks anywhere, or at the start of a line; most messages have none and are not parsed. */
const MARKS = /[\\`*_[\]&<>#]|^\s*(?:[-+]|\d+[.)])\s/m
const BLOCKS: readonly string[] = ['root', 'blockquote', 'list', 'listItem']

const wordsIn = (parent: Parents): string => parent.children.map(wordsOf).join(BLOCKS.includes(parent.type) ? ' ' : '')

const wordsOf = (node: Nodes): string => {
  if (node.type === 'image') return node.alt || node.url
  if ('value' in node) return node.value
  return 'children' in node ? wordsIn(node) : ' '
}

/**
 * The words of a message in markdown, or of its start, in one line: without marks and without the addresses of links. A text that is
 * marks alone stays as it is.
 */
export const plainWords = (text: string): string => {
  const oneLine = (words: string) => words.replaceAll(/\s+/g, ' ').trim()
  const start = text.slice(0, LONGEST).toWellFormed()
  if (!MARKS.test(start)) return oneLine(start)
  return oneLine(wordsIn(fromMarkdown(start, { extensions: [TURNED_OFF] }))) || oneLine(start)
}
