import type { Ids } from '#platform/ids.ts'
import { secretHash } from '../context/secret-hash.ts'

const TOKEN_BYTES = 32

/** A token for a link in a mail: it leaves the program once, and only its SHA-256 is stored. */
export const drawLinkToken = (ids: Ids): { readonly token: string; readonly hash: Buffer } => {
  const token = Buffer.from(ids.bytes(TOKEN_BYTES)).toString('base64url')
  return { token, hash: secretHash(token) }
}
