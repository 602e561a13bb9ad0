import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LOG_SHARE_BOUNDS, logShareEndMs, logShareFault, sharedText } from '#domain/servers/log-share.ts'

const ESC = String.fromCharCode(27)
const BEL = String.fromCharCode(7)
const RED = `${ESC}[31m`
const RESET = `${ESC}[0m`

it('keeps lines, tabs and colours, and takes addresses and tokens out', () => {
  const log = `${RED}[12:00:01]${RESET}\tAlex[/203.0.113.7:51234] logged in\r\nmail: admin@example.test\n`
  expect(sharedText(log)).toBe(`${RED}[12:00:01]${RESET}\tAlex[/[ip]:51234] logged in\nmail: [e-mail]`)
})

it.each([
  ['colours', `from 203.0${RED}.113.7 now`, 'from [ip] now'],
  ['a colour that is a reset', `203.${RESET}0.113.7`, '[ip]'],
  ['a control character', `203.0.113${String.fromCharCode(1)}.7`, '[ip]'],
  ['a character without width', '203.0.\u200B113.7', '[ip]'],
  ['a title of a terminal', `203.0.${ESC}]0;hidden${BEL}113.7`, '[ip]'],
  ['a colour of Minecraft', '203.0§c.113.7', '[ip]'],
  ['a letter that is not drawn', '203.0.\u3164113.7', '[ip]'],
  ['a selector of a variant', '203.0.113\uFE0F.7', '[ip]'],
  ['wide digits and dots', '２０３.0。113.7', '[ip]'],
  ['a colour with colons', `203.0${ESC}[38:5:1m.113.7`, '[ip]'],
  ['a cursor command', `203.0.${ESC}[2K113.7`, '[ip]'],
])('an address is found although it is broken up by %s', (_, log, shared) => {
  expect(sharedText(log)).toBe(shared)
})

it.each([
  ['a link', `${ESC}]8;;https://evil.example/${BEL}click${ESC}]8;;${BEL}`, 'click'],
  ['a clipboard command', `a${ESC}]52;c;YWJj${ESC}\\b`, 'ab'],
  ['a command without its end', `a${ESC}]0;the rest`, 'a'],
  ['the direction of writing', 'abc\u202Edcba\u202C', 'abcdcba'],
  ['a new screen', `${ESC}c${ESC}[2J${ESC}[Hhi`, 'hi'],
  ['a byte of its own', `${ESC}`, ''],
])('a terminal is not told %s', (_, log, shared) => {
  expect(sharedText(log)).toBe(shared)
})

it('sharing again what was shared changes nothing', () => {
  const piece = fc.constantFrom(
    RED,
    RESET,
    '1',
    '203.0.113.7',
    '.',
    ':',
    'a@b.hu',
    'f'.repeat(31),
    'f',
    ' ',
    '\n',
    '\u200B',
    ESC,
    BEL,
    ']',
    '§c',
    '§',
    '\uFE0F',
    '３',
    '。',
    '::1',
    'sk_live_',
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join('')),
      (log) => {
        const shared = sharedText(log)
        expect(sharedText(shared)).toBe(shared)
      },
    ),
    { numRuns: 3_000 },
  )
})

it('says why a range is not shared', () => {
  const lines = (count: number) => Array.from({ length: count }, () => 'line').join('\n')
  expect(logShareFault(sharedText(`\n ${RED} ${RESET}\n`))).toBe('empty')
  expect(logShareFault(lines(LOG_SHARE_BOUNDS.lines))).toBeNull()
  expect(logShareFault(lines(LOG_SHARE_BOUNDS.lines + 1))).toBe('too-long')
  expect(logShareFault('é'.repeat(LOG_SHARE_BOUNDS.bytes / 2))).toBeNull()
  expect(logShareFault(`${'é'.repeat(LOG_SHARE_BOUNDS.bytes / 2)}e`)).toBe('too-long')
})

it('a link ends after its hours', () => {
  expect(logShareEndMs(168, 1_000)).toBe(1_000 + 7 * 86_400_000)
})
