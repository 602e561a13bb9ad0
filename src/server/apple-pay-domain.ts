import type { IncomingMessage, ServerResponse } from 'node:http'

/** Apple's path for the proof that the wallet may be shown on this domain. Apple follows no redirect. */
export const APPLE_PAY_PATH = '/.well-known/apple-developer-merchantid-domain-association'

/** Serves the provider's proof; 404 without one. */
export const answerApplePayDomain = (
  proof: string | undefined,
  _request: IncomingMessage,
  response: ServerResponse,
): void => {
  response.writeHead(proof === undefined ? 404 : 200, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
  })
  response.end(proof ?? '')
}
