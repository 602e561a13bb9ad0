import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Gives a request a secret of its own, which Next writes on the scripts of the page that it renders for it. It takes
 * the secret from the request's policy header; a client's own header has been dropped.
 */
export const giveNonce = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const nonce = randomBytes(16).toString('base64')
  headers['content-security-policy'] = `script-src 'nonce-${nonce}'`
  return nonce
}
