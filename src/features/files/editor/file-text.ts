/** The content of a file as an editor shows it. */
export type FileText =
  | { readonly kind: 'text'; readonly text: string; readonly lineBreak: '\n' | '\r\n' }
  /** Not text in UTF-8: it is said, and not shown. */
  | { readonly kind: 'binary' }

/** Bytes that are looked at to tell a program from a text. */
const LOOKED_AT = 8_192

/** Bytes of a character after its first one, at most three, where a piece begins within it. */
const restOfCharacter = (bytes: Uint8Array): number => {
  const first = bytes.subarray(0, 4).findIndex((byte) => byte >> 6 !== 0b10)
  return Math.max(0, first)
}

/** Whether the first and the last byte of the file are among those that were read. */
type Ends = { readonly hasStart: boolean; readonly hasEnd: boolean }
export const WHOLE: Ends = { hasStart: true, hasEnd: true }

/** Decodes a whole file, or a piece of one: a character that is cut at an end of the piece is left out. */
export const fileText = (bytes: Uint8Array, { hasStart, hasEnd }: Ends): FileText => {
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return { kind: 'binary' }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const text = decoder.decode(hasStart ? bytes : bytes.subarray(restOfCharacter(bytes)), { stream: !hasEnd })
    // A file with both keeps its bytes: only one that has no other line break is taken for one of Windows.
    const isWindows = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
    return { kind: 'text', text, lineBreak: isWindows ? '\r\n' : '\n' }
  } catch {
    return { kind: 'binary' }
  }
}

/** The text with line feeds between its lines, as the editor holds it. */
export const linesOf = (text: string, lineBreak: string): string => text.split(lineBreak).join('\n')
