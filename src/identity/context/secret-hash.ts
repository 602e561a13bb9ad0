import { createHash } from 'node:crypto'

/** The stored hash of a secret that a client holds. */
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest()
