import { randomBytes } from 'node:crypto'
import { identifierFrom } from '#domain/kernel/identifier.ts'

/** Draws an identifier; more bytes are drawn in the rare case that too many were skipped. */
export const newIdentifier = (draw: (size: number) => Uint8Array = randomBytes): string => {
  for (;;) {
    const identifier = identifierFrom(draw(32))
    if (identifier) return identifier
  }
}
