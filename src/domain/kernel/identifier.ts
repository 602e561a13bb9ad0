/**
 * Characters of an `identifier`: lower-case letters and digits, with one member of each easily confused group (0/o,
 * 1/i/l, 2/z, 5/s, 8/b). Architecture section 2.
 */
export const IDENTIFIER_ALPHABET = 'acdefghjkmnpqrtuvwxy34679'
export const IDENTIFIER_LENGTH = 8

/**
 * Makes an identifier of 8 characters from random bytes.
 * Bytes at or above the largest multiple of the alphabet's size are skipped, so every character is equally likely.
 * Returns undefined when `bytes` runs out; the caller draws more (32 bytes fail about once in 10^18).
 */
export function identifierFrom(bytes: Uint8Array): string | undefined {
  const size = IDENTIFIER_ALPHABET.length
  const limit = 256 - (256 % size)
  let text = ''
  for (const byte of bytes) {
    if (byte >= limit) continue
    text += IDENTIFIER_ALPHABET[byte % size]
    if (text.length === IDENTIFIER_LENGTH) return text
  }
  return undefined
}
