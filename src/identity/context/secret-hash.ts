import { createHash } from 'node:crypto'

/** What is stored of a secret that a client holds. */
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest()
