/**
 * A run of plain text and the class names of its colours. It is only text: no markup ever comes from a console line.
 */
export type AnsiRun = { readonly text: string; readonly className: string }

type Style = {
  foreground: string
  background: string
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
  inverse: boolean
  struck: boolean
}
const plain: Style = {
  foreground: '',
  background: '',
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  struck: false,
}

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
const cube = [0, 95, 135, 175, 215, 255] as const

const esc = String.fromCharCode(27)
const bell = String.fromCharCode(7)
const csi = String.fromCharCode(0x9b)
// Colour codes are the only sequences kept: all other terminal sequences are removed, including titles, cursor
// movements, links and clipboard writes.
const sequences = new RegExp(
  [
    `(?:${esc}\\[|${csi})([0-9;:]*)m`,
    `(?:${esc}\\[|${csi})[0-?]*[ -/]*[@-~]?`,
    `${esc}[\\]PX^_](?:(?!${esc}\\\\|${bell}).)*(?:${esc}\\\\|${bell}|$)`,
    `${esc}[ -/]*[0-~]?`,
  ].join('|'),
  'gs',
)
// Control characters are meaningless to a reader and are dropped.
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g
// Direction marks and zero-width characters can make a line appear to say something else: they are spelled out.
const hidden = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const special = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/

const writtenOut = (mark: string) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`
const visible = (text: string): string => text.replaceAll(controls, '').replaceAll(hidden, writtenOut)

const nearest = (red: number, green: number, blue: number): string => {
  const strongest = Math.max(red, green, blue)
  if (strongest < 48) return 'black'
  const index = [red, green, blue].reduce((bits, value, bit) => bits | (value > strongest * 0.6 ? 1 << bit : 0), 0)
  return names[index] ?? 'white'
}

const indexed = (index: number): string => {
  if (index < 16) return names[index % 8] ?? 'white'
  if (index >= 232) return index < 238 ? 'black' : 'white'
  const place = index - 16
  const part = (step: number) => cube[Math.floor(place / step) % 6] ?? 0
  return nearest(part(36), part(6), part(1))
}

/** Parses `38;5;n` and `38;2;r;g;b`: the colour's name, and the number of codes consumed after the first. */
const extended = (codes: readonly number[], at: number): { name: string; taken: number } => {
  if (codes[at + 1] === 5) return { name: indexed(codes[at + 2] ?? 0), taken: 2 }
  if (codes[at + 1] === 2) {
    return { name: nearest(codes[at + 2] ?? 0, codes[at + 3] ?? 0, codes[at + 4] ?? 0), taken: 4 }
  }
  return { name: '', taken: 1 }
}

const flags: Readonly<Record<number, Partial<Style>>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { struck: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { struck: false },
  39: { foreground: '' },
  49: { background: '' },
}

const basic = (code: number): Partial<Style> => {
  const name = names[code % 10] ?? ''
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { foreground: name }
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { background: name }
  return {}
}

const applied = (style: Style, parameters: string): Style => {
  const codes = parameters.split(/[;:]/).map((code) => Number.parseInt(code || '0', 10))
  let next = style
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    if (code === 0) next = plain
    else if (code === 38 || code === 48) {
      const { name, taken } = extended(codes, at)
      next = { ...next, ...(code === 38 ? { foreground: name } : { background: name }) }
      at += taken
    } else next = { ...next, ...(flags[code] ?? basic(code)) }
  }
  return next
}

const classOf = (style: Style): string =>
  [
    // Inverted, only the background is visible: the text colour would be lost on it.
    style.inverse ? 'ansi-inverse' : style.foreground && `ansi-${style.foreground}`,
    !style.inverse && style.background && `ansi-on-${style.background}`,
    style.bold && 'ansi-bold',
    style.dim && 'ansi-dim',
    style.italic && 'ansi-italic',
    style.underline && 'ansi-underline',
    style.struck && 'ansi-struck',
  ]
    .filter(Boolean)
    .join(' ')

/**
 * Splits a console line into runs of text with colours. Every other escape sequence and control character is dropped,
 * and direction marks are spelled out as `[U+202E]`; the joined texts of the runs are the line's `plainText`.
 */
export const ansiRuns = (line: string): readonly AnsiRun[] => {
  if (!special.test(line)) return line === '' ? [] : [{ text: line, className: '' }]
  const runs: AnsiRun[] = []
  let style = plain
  let from = 0
  const push = (raw: string) => {
    const text = visible(raw)
    if (text !== '') runs.push({ text, className: classOf(style) })
  }
  for (const match of line.matchAll(sequences)) {
    push(line.slice(from, match.index))
    if (match[1] !== undefined) style = applied(style, match[1])
    from = match.index + match[0].length
  }
  push(line.slice(from))
  return runs
}

/** The line without colours, exactly as displayed: the input of search, levels and copying. */
export const plainText = (line: string): string => (special.test(line) ? visible(line.replaceAll(sequences, '')) : line)
