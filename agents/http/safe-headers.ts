import { AGENT_CORS } from '#contracts/panel/agent-http.ts'

/** Headers of everything that a node sends from a customer's folder: no cache keeps it, and no browser runs it. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

/** Every answer about files carries them. */
export const FILE_HEADERS: Readonly<Record<string, string>> = {
  ...SAFE_HEADERS,
  'access-control-expose-headers': AGENT_CORS.exposedHeaders.join(', '),
}
