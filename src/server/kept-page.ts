import type { OutgoingHttpHeaders } from 'node:http'

/** The finished bytes of a page in one encoding, with its headers in the form that Node writes fastest. */
export type KeptPage = {
  /** The `policyMark` of the origins in its policy. */
  readonly mark: string
  /** Not served from this time on. */
  readonly untilMs: number
  readonly body: Buffer
  /** Its ETag without `W/`. */
  readonly tag: string
  /** Alternating names and values, without a request id. */
  readonly headers: readonly string[]
  /** The same for 304, without headers that describe the body and without the policy, which the stored page already has. */
  readonly unchangedHeaders: readonly string[]
  readonly sizeBytes: number
}

/** A page as rendered by Next and finished by our response rules. */
export type FinishedPage = {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
  /** The Cache-Control header that Next set. */
  readonly cacheControl: string
  readonly mark: string
}

/** A kept page is fetched again from Next's cache after a minute, so it outlives its `revalidate` by a minute at most. */
const MAX_KEPT_MS = 60_000

/** Memory of a page's objects besides its bytes. */
const OVERHEAD_BYTES = 1_000

// These belong to one request or connection, or describe Next's cache at the time of the rendering.
const NOT_KEPT = new Set(['x-request-id', 'connection', 'keep-alive', 'date', 'transfer-encoding', 'x-nextjs-cache'])
const ABOUT_BODY = new Set(['content-type', 'content-length', 'content-encoding', 'content-security-policy'])

const opaque = (etag: string): string => etag.replace(/^W\//, '')

/** How long the page may be kept; 0 if it is rendered per request, or if Next is about to render it again. */
export const keepableMs = ({ status, headers, cacheControl }: FinishedPage): number => {
  const seconds = /(?:^|[\s,])s-maxage=(\d+)/i.exec(cacheControl)?.[1]
  const isFresh = ['HIT', 'MISS', 'REVALIDATED'].includes(String(headers['x-nextjs-cache']))
  const isHtml = /^text\/html/i.test(String(headers['content-type']))
  const isForAll = headers['set-cookie'] === undefined && !/no-store|private/i.test(cacheControl)
  if (status !== 200 || seconds === undefined || !isFresh || !isHtml || !isForAll) return 0
  return headers['etag'] === undefined ? 0 : Math.min(Number(seconds) * 1_000, MAX_KEPT_MS)
}

const lines = (headers: OutgoingHttpHeaders, isLeftOut: (name: string) => boolean): string[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || isLeftOut(name)) return []
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [name, String(one)])
  })

/** Prepares a page for many responses. `untilMs` is its expiry. */
export const keptPage = (page: FinishedPage, untilMs: number): KeptPage => {
  const all = { ...page.headers, 'content-length': page.body.byteLength }
  const headers = lines(all, (name) => NOT_KEPT.has(name))
  const unchangedHeaders = lines(all, (name) => NOT_KEPT.has(name) || ABOUT_BODY.has(name))
  const headerBytes = [...headers, ...unchangedHeaders].reduce((sum, text) => sum + text.length, 0)
  return {
    mark: page.mark,
    untilMs,
    body: page.body,
    headers,
    unchangedHeaders,
    tag: opaque(String(page.headers['etag'] ?? '')),
    sizeBytes: page.body.byteLength + headerBytes + OVERHEAD_BYTES,
  }
}

const TAG = /(?:W\/)?("[^"]*")/g

/** Whether an If-None-Match header names this page, in any encoding. */
export const hasUnchanged = ({ tag }: Pick<KeptPage, 'tag'>, ifNoneMatch: string | undefined): boolean => {
  if (ifNoneMatch === undefined || tag === '') return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(TAG)].some(([, one]) => one === tag)
}
