import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import type { ApiRoute } from '#contracts/routes/routes.ts'
import { addressKey } from '#platform/address-key.ts'
import type { Turn } from '#platform/fair-turns.ts'
import { cookieName, readCookie } from '../identity/sessions/cookies.ts'

const patternOf = (name: string): RegExp =>
  new RegExp(`^${name.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`)

const PATTERNS = (Object.entries(API_ROUTES) as [string, ApiRoute][])
  .filter(([, { takesTurn }]) => takesTurn)
  .map(([name]) => patternOf(name))

/** Whether a request waits in the line. `path` is without its query. */
export const takesTurn = (method: string | undefined, path: string): boolean =>
  method === 'POST' && PATTERNS.some((pattern) => pattern.test(`${method} ${path}`))

const nameIn = (body: Buffer | undefined): string | undefined => {
  try {
    const read = JSON.parse(body?.toString('utf8') ?? '') as { username?: unknown } | null
    return typeof read?.username === 'string' ? read.username.trim().toLowerCase() : undefined
  } catch {
    return undefined
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/**
 * The turn of a request: that of its address, and of the account that its body names. A browser that shows a
 * device cookie is counted apart, so that strangers who crowd upon an account leave its owner a place.
 */
export const turnOf = (
  request: IncomingMessage & { readonly rawBody?: Buffer },
  { address, isSecure }: { address: string; isSecure: boolean },
): Turn => {
  const name = nameIn(request.rawBody)
  const device = readCookie(request.headers.cookie, cookieName('device', isSecure)) ?? ''
  return { caller: addressKey(address), subject: name === undefined ? undefined : digest(`${device}|${name}`) }
}
