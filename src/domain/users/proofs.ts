/** How long a code or link proves access to a mailbox, in minutes. */
export const PROOF_MINUTES = { code: 10, reset: 30, emailChange: 24 * 60, emailUndo: 7 * 24 * 60 } as const

/** Wrong attempts allowed for one code, out of a million possible ones. */
export const CODE_TRIES = 5

/** Seconds between two codes. */
export const RESEND_SECONDS = 60

const CODES = 1_000_000
/** The largest multiple of a million below 2^32: words above it would favour small codes. */
const FAIR_BELOW = Math.floor(2 ** 32 / CODES) * CODES

/** A uniformly distributed code of six digits from random bytes; undefined if the bytes contain no usable word. */
export const codeFrom = (bytes: Uint8Array): string | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const drawn = view.getUint32(at)
    if (drawn < FAIR_BELOW) return String(drawn % CODES).padStart(6, '0')
  }
  return undefined
}
