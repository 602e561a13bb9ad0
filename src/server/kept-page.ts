import type { OutgoingHttpHeaders } from 'node:http'

/** The finished bytes of a page in one encoding, and the headers of its answers as Node writes them fastest. */
export type KeptPage = {
  /** The origins that its policy names, as `policyMark` writes them. */
  readonly mark: string
  /** No longer answered from this moment on. */
  readonly untilMs: number
  readonly body: Buffer
  /** Its ETag without the sign of weakness. */
  readonly tag: string
  /** Names and values in turn, without the id of a request. */
  readonly headers: readonly string[]
  /** The same for 304: what describes the body is left out, and so is the policy, which the stored page brings along. */
  readonly unchangedHeaders: readonly string[]
  readonly sizeBytes: number
}

/** A page as Next and the rules of answers made it. */
export type FinishedPage = {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
  /** What Next itself said about keeping it. */
  readonly cacheControl: string
  readonly mark: string
}

/** A kept page is compared with Next's own cache once a minute, so that it outlives its `revalidate` by a minute at most. */
const MAX_KEPT_MS = 60_000

/** Objects and strings of a page beside its bytes. */
const OVERHEAD_BYTES = 1_000

// Of each request, of each connection, or a word about Next's cache at the moment of the rendering.
const NOT_KEPT = new Set(['x-request-id', 'connection', 'keep-alive', 'date', 'transfer-encoding', 'x-nextjs-cache'])
const ABOUT_BODY = new Set(['content-type', 'content-length', 'content-encoding', 'content-security-policy'])

const opaque = (etag: string): string => etag.replace(/^W\//, '')

/** For how long Next would answer with this page; 0 for one that is made for each request or about to be made anew. */
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

/** Prepares a page for many answers. `untilMs` is when it is over. */
export const keptPage = (page: FinishedPage, untilMs: number): KeptPage => {
  const all = { ...page.headers, 'content-length': page.body.byteLength }
  const headers = lines(all, (name) => NOT_KEPT.has(name))
  const unchangedHeaders = lines(all, (name) => NOT_KEPT.has(name) || ABOUT_BODY.has(name))
  const headerBytes = [...headers, ...unchangedHeaders].reduce((sum, text) => sum + text.length, 0)
  return {
    ...{ mark: page.mark, untilMs, body: page.body, headers, unchangedHeaders },
    tag: opaque(String(page.headers['etag'] ?? '')),
    sizeBytes: page.body.byteLength + headerBytes + OVERHEAD_BYTES,
  }
}

const TAG = /(?:W\/)?("[^"]*")/g

/** Whether an If-None-Match header names this page, in whichever encoding its sender has stored it. */
export const hasUnchanged = ({ tag }: Pick<KeptPage, 'tag'>, ifNoneMatch: string | undefined): boolean => {
  if (ifNoneMatch === undefined || tag === '') return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(TAG)].some(([, one]) => one === tag)
}
