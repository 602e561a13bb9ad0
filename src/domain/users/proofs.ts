/** How long what is sent to a mailbox proves that somebody reads it, in minutes. */
export const PROOF_MINUTES = { code: 10, reset: 30, emailChange: 24 * 60, emailUndo: 7 * 24 * 60 } as const

/** Wrong codes that one code bears: of a million possible ones this many can be guessed. */
export const CODE_TRIES = 5

/** Seconds between two codes. */
export const RESEND_SECONDS = 60

const CODES = 1_000_000
/** The largest multiple of a million below 2^32: above it the first codes would come more often than the last. */
const FAIR_BELOW = Math.floor(2 ** 32 / CODES) * CODES

/** A code of six digits from random bytes, each as likely as any other; undefined when the bytes hold no fair one. */
export const codeFrom = (bytes: Uint8Array): string | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const drawn = view.getUint32(at)
    if (drawn < FAIR_BELOW) return String(drawn % CODES).padStart(6, '0')
  }
  return undefined
}
