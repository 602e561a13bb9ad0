import type { Ids } from '#platform/ids.ts'
import { secretHash } from './secret-hash.ts'

const TOKEN_BYTES = 32

/** A token for a link in a mail: it leaves the program once and is stored as its SHA-256 only. */
export const drawLinkToken = (ids: Ids): { readonly token: string; readonly hash: Buffer } => {
  const token = Buffer.from(ids.bytes(TOKEN_BYTES)).toString('base64url')
  return { token, hash: secretHash(token) }
}
