/** A piece of a message that looks alike. `color` is Minecraft's sign, `0` to `9` and `a` to `f`. */
export type MotdPiece = {
  readonly text: string
  /** Where it stands in the message. */
  readonly at: number
  readonly color: string
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly isStruck: boolean
}

export type MotdLine = { readonly at: number; readonly pieces: readonly MotdPiece[] }
type Look = Omit<MotdPiece, 'text' | 'at'>

const PLAIN: Look = {
  color: '7',
  isBold: false,
  isItalic: false,
  isUnderlined: false,
  isStruck: false,
}
const STYLES: Readonly<Record<string, Partial<Look>>> = {
  l: { isBold: true },
  o: { isItalic: true },
  n: { isUnderlined: true },
  m: { isStruck: true },
}

/** The look after a sign: a color and `r` end every style before it. */
const afterSign = (look: Look, sign: string): Look => {
  if (sign === 'r') return PLAIN
  return /^[0-9a-f]$/.test(sign) ? { ...PLAIN, color: sign } : { ...look, ...STYLES[sign] }
}

/** The first two lines of a message as the game's server list shows them. `§` and a sign change the look of what follows. */
export const motdLines = (message: string): readonly MotdLine[] => {
  let look = PLAIN
  let at = 0
  return message
    .split('\n')
    .slice(0, 2)
    .map((line) => {
      const begin = at
      const pieces: MotdPiece[] = []
      for (const [index, part] of line.split('§').entries()) {
        if (index > 0) look = afterSign(look, part.slice(0, 1).toLowerCase())
        pieces.push({ ...look, at, text: index === 0 ? part : part.slice(1) })
        at += part.length + 1
      }
      return { at: begin, pieces: pieces.filter(({ text }) => text !== '') }
    })
}
