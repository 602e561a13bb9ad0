import { redactLog, withoutCutWord } from './redaction.ts'

/**
 * Bounds of one shared range, and how many links of one server may be open at a time. `line` is a console's longest line with its time in front, in
 * UTF-16 units; what is longer is cut.
 */
export const LOG_SHARE_BOUNDS = { lines: 2_000, line: 16_384 + 64, bytes: 512 * 1024, open: 20 } as const
/** How long a link lives, in hours; clarifications part 5 end every one after seven days. */
export const LOG_SHARE_HOURS = [1, 24, 168] as const
export type LogShareHours = (typeof LOG_SHARE_HOURS)[number]

/** Why a range cannot be shared. */
export type LogShareFault = 'empty' | 'too-long'

const HOUR_MS = 3_600_000
const ESC = String.fromCharCode(27)
const BEL = String.fromCharCode(7)
/** Colours are kept. Everything else that a terminal obeys goes: titles, links, the cursor. */
const COLOUR = new RegExp(String.raw`${ESC}\[[\d;:]*m`, 'g')
// An exclamation mark belongs to two parts of a command, and only one of them takes it: so a long row of them is read once.
const COMMANDS = new RegExp(
  String.raw`${ESC}(?:[\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\)?|\[[\d;?<=>!]*(?:[ "-/][ -/]*)?[@-ln-~]|[^\[\]PX^_])`,
  'g',
)
const HELD = '\u{F0000}'
/** Control characters but the tab, and characters that hide, turn or join the text around them. */
const UNSHOWN = /[^\P{Cc}\t]|[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/** A line as it may be drawn: visible characters, tabs and colours. */
const drawn = (line: string): string => {
  const colours: string[] = []
  // Colours are set aside, because their first character is a control character.
  const held = line
    .replaceAll(HELD, '')
    .replace(COLOUR, (colour) => {
      colours.push(colour)
      return HELD
    })
    .replace(COMMANDS, '')
  return held
    .split(HELD)
    .map((piece) => piece.replace(UNSHOWN, ''))
    .reduce((text, piece, at) => text + (colours[at - 1] ?? '') + piece)
}

const plain = (line: string): string => line.replace(COLOUR, '')
/** Colours of Minecraft, which a console shows as they are. */
const GAME_COLOUR = /§[\da-fk-orx]/gi
/** Characters that are drawn as nothing: fillers, selectors of a variant, joiners. */
const BLANKS = /\p{Default_Ignorable_Code_Point}/gu

/** Marks above and below a letter. A long row of them is put into its order mark by mark, so the rest of it is left out. */
const MARKS = /(\p{M}{30})\p{M}+/gu

/** A line as a reader may type it off: without colours and blanks, with wide digits and full stops as plain ones. */
const readOff = (line: string): string =>
  plain(line)
    .replace(GAME_COLOUR, '')
    .replace(BLANKS, '')
    .replace(MARKS, '$1')
    .normalize('NFKC')
    .replaceAll('\u3002', '.')

/**
 * A text that is written into an address must not save it: if the line as it is read has more to hide, it is shared as
 * that.
 */
const redacted = (line: string): string => {
  const coloured = redactLog(line)
  const text = readOff(coloured)
  const open = redactLog(text)
  return open === text ? coloured : open
}

const LINE_END = /\r\n|\n|\r/

/**
 * A range of a server's log as everybody may read it: redacted, in lines of visible characters and colours, without
 * empty lines at both ends. The same text again changes nothing.
 */
export const sharedText = (text: string): string =>
  text
    .split(LINE_END)
    .map((line) => (line === '' ? '' : redacted(drawn(withoutCutWord(line, LOG_SHARE_BOUNDS.line))).trimEnd()))
    .join('\n')
    .replace(/^\n+|(?<!\n)\n+$/g, '')

/** Whether a text has more lines than empty ones at both ends explain. It is refused unread, because each line costs time. */
export const hasTooManyLines = (text: string): boolean =>
  text.split(LINE_END, 2 * LOG_SHARE_BOUNDS.lines + 1).length > 2 * LOG_SHARE_BOUNDS.lines

/** Why a text cannot be shared as it is, after `sharedText`; null if it can. */
export const logShareFault = (shared: string): LogShareFault | null => {
  if (plain(shared).trim() === '') return 'empty'
  const isTooLong =
    shared.split('\n').length > LOG_SHARE_BOUNDS.lines ||
    new TextEncoder().encode(shared).length > LOG_SHARE_BOUNDS.bytes
  return isTooLong ? 'too-long' : null
}

/** When a link ends that was made at `nowMs`, in epoch milliseconds. */
export const logShareEndMs = (hours: LogShareHours, nowMs: number): number => nowMs + hours * HOUR_MS
