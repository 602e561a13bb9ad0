import { createHash } from 'node:crypto'
import type { CardOrigins } from './card-page.ts'

/** The hashes of a page's inline parts, in the format of a policy. */
export type InlineHashes = {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  readonly styleAttributes: readonly string[]
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`
const unique = (values: Iterable<string>) => [...new Set(values)].sort()

// Only these types are executed; a data block (JSON-LD) needs no permission.
const RUNS = /^(|module|text\/javascript|application\/javascript)$/i
const attribute = (tag: string, name: string) =>
  new RegExp(`\\s${name}(?:=(?:"([^"]*)"|'([^']*)'|([^\\s>]*)))?(?=[\\s>/]|$)`, 'i').exec(tag)
const valueOf = (found: RegExpExecArray | null) => found?.[1] ?? found?.[2] ?? found?.[3] ?? ''

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }
const decodeOne = (entity: string): string => {
  const name = entity.slice(1, -1)
  if (/^#x[0-9a-f]+$/i.test(name)) return String.fromCodePoint(Number.parseInt(name.slice(2), 16))
  if (/^#\d+$/.test(name)) return String.fromCodePoint(Number(name.slice(1)))
  return ENTITIES[name] ?? entity
}
const decode = (text: string) => text.replaceAll(/&#?\w+;/g, decodeOne)

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi
const STYLE = /<style\b([^>]*)>([\s\S]*?)<\/style\s*>/gi
const COMMENT = /<!--[\s\S]*?-->/g
const TAG = /<[a-z][^\s>]*((?:\s+[^\s=>]+(?:=(?:"[^"]*"|'[^']*'|[^\s>]*))?)*)\s*\/?>/gi

/** Hashes of every inline script, style element and style attribute of a page that our own server rendered. */
export const inlineHashes = (html: string): InlineHashes => {
  const scripts: string[] = []
  const styles: string[] = []
  // Script content is text: it is removed before tags are searched for.
  const withoutScripts = html.replaceAll(SCRIPT, (_whole, tag: string, body: string) => {
    const isInline = attribute(tag, 'src') === null && RUNS.test(valueOf(attribute(tag, 'type')))
    if (isInline && body !== '') scripts.push(hashOf(body))
    return ''
  })
  const markup = withoutScripts.replaceAll(COMMENT, '').replaceAll(STYLE, (_whole, _tag: string, body: string) => {
    if (body !== '') styles.push(hashOf(body))
    return ''
  })
  const attributes: string[] = []
  for (const [, tag = ''] of markup.matchAll(TAG)) {
    const found = attribute(tag, 'style')
    if (found) attributes.push(hashOf(decode(valueOf(found))))
  }
  return { scripts: unique(scripts), styles: unique(styles), styleAttributes: unique(attributes) }
}

export type PolicyOptions = {
  /** Origins that scripts may connect to besides the site's own: gateway and nodes. */
  readonly connect: readonly string[]
  readonly isSecure: boolean
}

const write = (directives: readonly (readonly [string, readonly string[]])[]): string =>
  directives.map(([name, values]) => [name, ...values].join(' ')).join('; ')

const common = ({ isSecure }: PolicyOptions) =>
  [
    ['base-uri', ["'none'"]],
    ['form-action', ["'self'"]],
    ['object-src', ["'none'"]],
    ...(isSecure ? [['upgrade-insecure-requests', []] as const] : []),
  ] as const

const styleAttributes = ({ styleAttributes: hashes }: InlineHashes): readonly string[] =>
  hashes.length > 0 ? ["'unsafe-hashes'", ...hashes] : ["'none'"]

/** The policy of our own pages: only inline parts that the server itself rendered may run. */
export const pagePolicy = (hashes: InlineHashes, options: PolicyOptions): string =>
  write([
    ['default-src', ["'none'"]],
    ['script-src', ["'self'", ...hashes.scripts]],
    ['style-src', ["'self'", ...hashes.styles]],
    ['style-src-attr', styleAttributes(hashes)],
    ...ownContent(options),
  ])

const ownContent = (options: PolicyOptions) =>
  [
    ['img-src', ["'self'", 'data:', 'blob:']],
    ['font-src', ["'self'"]],
    ['connect-src', ["'self'", ...options.connect]],
    ['media-src', ["'self'"]],
    ['manifest-src', ["'self'"]],
    ['worker-src', ["'self'"]],
    ['frame-ancestors', ["'none'"]],
    ...common(options),
  ] as const

/**
 * The policy of the card page: a page's own, plus the provider's script with its frames and calls. The script sizes its
 * frames by style attributes, which no hash can cover.
 */
export const cardPolicy = (hashes: InlineHashes, options: PolicyOptions, origins: CardOrigins): string =>
  write([
    ['default-src', ["'none'"]],
    ['script-src', ["'self'", ...hashes.scripts, ...origins.scripts]],
    ['style-src', ["'self'", ...hashes.styles]],
    ['style-src-attr', ["'unsafe-inline'"]],
    ['frame-src', origins.frames],
    ...ownContent({ ...options, connect: [...options.connect, ...origins.connect] }),
  ])

/**
 * The policy of Payload's admin, whose pages are streamed: their scripts carry the response's nonce. Payload's parts
 * insert styles by script, without one (decision 46). In development scripts need no nonce.
 */
export const adminPolicy = (options: PolicyOptions, nonce: string | null): string =>
  write([
    ['default-src', ["'none'"]],
    ['script-src', ["'self'", nonce === null ? "'unsafe-inline'" : `'nonce-${nonce}'`]],
    ['style-src', ["'self'", "'unsafe-inline'"]],
    ['img-src', ["'self'", 'data:', 'blob:']],
    ['font-src', ["'self'", 'data:']],
    ['connect-src', ["'self'", ...options.connect]],
    ['media-src', ["'self'", 'blob:']],
    ['manifest-src', ["'self'"]],
    ['worker-src', ["'self'", 'blob:']],
    ['frame-src', ["'self'"]],
    ['frame-ancestors', ["'self'"]],
    ...common(options),
  ])

/** In development Next evaluates code and connects to its own socket. */
export const developmentPolicy = (options: PolicyOptions, origins?: CardOrigins): string =>
  write([
    ['default-src', ["'self'"]],
    ['script-src', ["'self'", "'unsafe-inline'", "'unsafe-eval'", ...(origins?.scripts ?? [])]],
    ['frame-src', ["'self'", ...(origins?.frames ?? [])]],
    ['style-src', ["'self'", "'unsafe-inline'"]],
    ['img-src', ["'self'", 'data:', 'blob:']],
    ['font-src', ["'self'", 'data:']],
    ['connect-src', ["'self'", 'ws:', ...options.connect, ...(origins?.connect ?? [])]],
    ['frame-ancestors', ["'self'"]],
  ])

/** For anything but a page: nothing in it may run, load or be framed, however its bytes are interpreted. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
