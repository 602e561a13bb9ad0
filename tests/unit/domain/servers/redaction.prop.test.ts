import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasTooManyLines, LOG_SHARE_BOUNDS, sharedText } from '../../../../src/domain/servers/log-share.ts'
import { LOG_MARKS, redactLog, withoutCutWord } from '../../../../src/domain/servers/redaction.ts'

const MEBIBYTE = 1024 * 1024
const ESC = String.fromCharCode(27)
const { address, mail, token } = LOG_MARKS
/** Each of these took minutes to years while a pattern read a run again from each of its places. */
const TIMEOUT_MS = 20_000
const longOf = (unit: string, end = '') => unit.repeat(Math.ceil(MEBIBYTE / unit.length)) + end

describe('a mebibyte in one line is read to its end', () => {
  it.each([
    ['beginnings of web tokens', 'eyJ', ''],
    ['web tokens without a signature', 'eyJ', '.'],
    ['short beginnings of web tokens', 'eyJa.', ''],
    ['colons', ':', 'g'],
    ['groups of an address', 'f:', 'g'],
    ['pairs of colons', '::', '_'],
    ['numbers', '1.', ''],
    ['at signs', 'a@', ''],
    ['local parts', 'a.', ''],
    ['hosts without an end', 'a@b-', ''],
    ['words with dashes', 'zz-', ''],
    ['parts of a bot token', `${'z'.repeat(23)}.zzzzz.`, ''],
    ['beginnings of keys', 'sk_a.', ''],
    ['webhooks', '/api/webhooks/12345/', ''],
    ['digits of a webhook', `/api/webhooks/${'1'.repeat(26)}/`, ''],
    ['escapes', `${ESC}[`, ''],
    ['spaces', ' ', 'x'],
    ['short numbers', `${'f'.repeat(31)}z`, ''],
  ])(
    '%s',
    (_, unit, end) => {
      const text = longOf(unit, end)
      // A comparison of its own: a difference in a mebibyte is nothing to print.
      expect(redactLog(text) === text).toBe(true)
    },
    TIMEOUT_MS,
  )

  it.each([
    ['addresses', '10.0.0.1 ', address],
    ['addresses with colons', '2001:db8::1 ', address],
    ['mails', 'a@b.cd ', mail],
    ['keys', `sk_${'a'.repeat(8)} `, token],
    ['numbers', `${'f'.repeat(32)} `, token],
  ])(
    '%s are all taken out',
    (_, unit, mark) => {
      const count = Math.ceil(MEBIBYTE / unit.length)
      expect(redactLog(unit.repeat(count)) === `${mark} `.repeat(count)).toBe(true)
    },
    TIMEOUT_MS,
  )

  it(
    'a word in which each secret hides the next one goes as a whole, and its neighbours stay',
    () => {
      const unit = '::1:2:3:4:5:6:7.2.3.4.5'
      const few = redactLog(`a ${unit.repeat(3)} b`)
      expect(few).toMatch(/^a [^\d]+ b$/)
      expect(redactLog(`a ${longOf(unit)} b 10.0.0.1`)).toBe(`a ${token} b ${address}`)
    },
    TIMEOUT_MS,
  )
})

describe('a mebibyte to share is read to its end', () => {
  it.each([
    ['empty lines', `x${longOf('\n', 'x')}`, `x${longOf('\n', 'x')}`],
    ['a command without an end', `${ESC}[${longOf('!')}`, '…'],
    ['commands without an end', longOf(`${ESC}[${'!'.repeat(16_000)}\n`), undefined],
    ['marks in the wrong order', longOf(`a${'\u0301'.repeat(8_000)}${'\u0316'.repeat(8_000)}\n`), undefined],
    ['one line', `log ${longOf('eyJ')}`, 'log …'],
  ])(
    '%s',
    (_, text, shared) => {
      const found = sharedText(text)
      if (shared === undefined) expect(found.split('\n')).toHaveLength(text.trimEnd().split('\n').length)
      else expect(found === shared).toBe(true)
    },
    TIMEOUT_MS,
  )
})

it('a text with far more lines than a range may have is refused unread, and empty lines at both ends are no reason', () => {
  const lines = (count: number) => Array.from({ length: count }, () => 'x').join('\n')
  expect(hasTooManyLines(lines(2 * LOG_SHARE_BOUNDS.lines + 1))).toBe(true)
  expect(hasTooManyLines(`\r\n\n${lines(LOG_SHARE_BOUNDS.lines)}\n\n`)).toBe(false)
})

describe('a line that was cut', () => {
  it('loses the word at its cut, of which only a part stands there', () => {
    expect(withoutCutWord('from anna@exam', 14)).toBe('from …')
    expect(withoutCutWord('from anna@exam', 15)).toBe('from anna@exam')
    expect(withoutCutWord('from anna@example.com', 14)).toBe('from …')
    expect(withoutCutWord('from anna ', 10)).toBe('from anna ')
    expect(withoutCutWord('anna@exam', 9)).toBe('…')
    expect(withoutCutWord('', 9)).toBe('')
  })

  it('is cut before it is shared', () => {
    const line = `${'word '.repeat(LOG_SHARE_BOUNDS.line / 5)}`.slice(0, LOG_SHARE_BOUNDS.line - 5)
    expect(sharedText(`${line} anna@example.com`)).toBe(`${line} …`)
    expect(sharedText(`${line}ann`)).toBe(`${line}ann`)
  })
})

/** The same rules as they read best, with all the time in the world. */
const naive = (() => {
  const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|0?\d?\d)`
  const rules: readonly (readonly [RegExp, string])[] = [
    [/eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g, token],
    [/(?<![\w-])[\w-]{23,}\.[\w-]{5,8}\.[\w-]{27,}/g, token],
    [/(?<=\/api\/webhooks\/\d{5,25}\/)[\w-]{20,}/g, token],
    [/(?<![A-Za-z\d])(?:sk|pk|rk|cfxk|gh[oprsu])_[\w-]{8,}/g, token],
    [/[\da-f]{32,}/gi, token],
    [/(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, mail],
    [new RegExp(String.raw`(?<!\d)(?<!\d\.)(?:${octet}\.){3}${octet}(?!\d|\.\d)`, 'g'), address],
  ]
  const isAddress = (text: string): boolean => {
    const halves = text.split('::')
    if (halves.length > 2) return false
    const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
    const isGroup = (group: string) => /^[\da-f]{1,4}$/i.test(group)
    if (halves.length === 2) return groups.length > 0 && groups.length < 8 && groups.every(isGroup)
    const isPort = groups.length === 9 && /^\d{1,5}$/.test(groups[8] ?? '')
    return (groups.length === 8 || isPort) && groups.slice(0, 8).every(isGroup)
  }
  const read = (piece: string): string => {
    const open = rules
      .reduce((text, [pattern, mark]) => text.replace(pattern, mark), piece)
      .replace(/(?<![\w:])[\da-f:]*:[\da-f:]*:[\da-f:]*(?![\w:])/gi, (text) => (isAddress(text) ? address : text))
    return open === piece ? piece : read(open)
  }
  const colour = new RegExp(String.raw`(${ESC}\[[\d;?]*[A-Za-z]|§[\da-fk-orx])`, 'i')
  return (text: string): string =>
    text
      .split(colour)
      .map((piece, index) => (index % 2 === 1 ? piece : read(piece)))
      .join('')
})()

it('takes out of any short text precisely the secrets that the rules name', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('eyJ', 'eyJhbGciO', 'sk_', 'abcdefgh', '::', ':', '.', '-', '@', '1', '12', '255', '0', 'f', 'g'),
    fc.constantFrom(
      '_',
      ' ',
      '\n',
      '/',
      'é',
      '§c',
      `${ESC}[1m`,
      'a@b.c',
      '10.0.0.1',
      '::1',
      '1:2:3:4:5:6:7',
      '.2.3.4.5',
    ),
    fc.constantFrom('f'.repeat(31), 'z'.repeat(23), '.zzzzz.', 'z'.repeat(27), '/api/webhooks/12345/', 'z'.repeat(20)),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
      (text) => {
        expect(redactLog(text)).toBe(naive(text))
      },
    ),
    { numRuns: 5_000 },
  )
})
