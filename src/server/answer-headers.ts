import type { IncomingMessage, ServerResponse } from 'node:http'
import { cardOrigins, cardPageHeaders, isCardPage } from './card-page.ts'
import { DATA_POLICY, adminPolicy } from './content-security-policy.ts'
import type { NodeOrigins } from './node-origins.ts'
import { addVary } from './outgoing.ts'
import type { Routing } from './page-routing.ts'
import { policyMark, withMark } from './policy-mark.ts'
import { securityHeaders } from './security-headers.ts'

/** The settings that the headers of a response depend on. */
export type HeaderSettings = {
  readonly isSecure: boolean
  readonly nodeOrigins: NodeOrigins
  /** The address of the card page's script. */
  readonly stripeScriptUrl: string
}

export type Answered = {
  readonly request: IncomingMessage
  readonly routing: Routing
  readonly requestId: string
  /** The nonce of an admin page's scripts. */
  readonly nonce?: string | undefined
}

const isPage = (response: ServerResponse) =>
  /^text\/(html|x-component)/i.test(String(response.getHeader('content-type') ?? ''))

const isFeed = (response: ServerResponse) =>
  /^application\/(rss\+xml|feed\+json)/i.test(String(response.getHeader('content-type') ?? ''))

// A shared cache keeps a public page only briefly: the site itself serves it from memory, and staff see at once what
// they publish.
const PUBLIC_CACHE = 'public, max-age=0, s-maxage=5, stale-while-revalidate=60'

// A drawing changes with a release at most, and its address stays: browsers ask again after a week, by its ETag.
const DRAWING_CACHE = 'public, max-age=604800, stale-while-revalidate=86400'
const isDrawing = ({ url = '' }: IncomingMessage) => url.startsWith('/pictures/')

// Next writes the requested address into the page, with its query: such a response is private to the requester. Only
// its own router's parameter changes nothing in it.
const namesItsQuery = ({ target }: Routing & { kind: 'page' }) =>
  [...new URLSearchParams(target.split('?')[1] ?? '').keys()].some((name) => name !== '_rsc')

const setPageHeaders = (response: ServerResponse, routing: Routing & { kind: 'page' }, mark: string) => {
  response.setHeader('Content-Language', routing.locale)
  // A response without a body updates the headers of the stored page.
  const isUnchanged = response.statusCode === 304
  if (!isPage(response) && !isFeed(response) && !isUnchanged) return
  const etag = response.getHeader('etag')
  if (typeof etag === 'string') response.setHeader('ETag', withMark(etag, mark))
  const isShared = routing.isPublic && !namesItsQuery(routing)
  const isCacheable = isShared && (response.statusCode === 200 || isUnchanged)
  response.setHeader('Cache-Control', isCacheable ? PUBLIC_CACHE : 'private, no-cache')
  if (!routing.isPublic) addVary(response, 'Cookie', 'Accept-Language')
}

type Page = Pick<Answered, 'nonce'> & Pick<Routing, 'kind'>

const setDefaultPolicy = (response: ServerResponse, { kind, nonce }: Page, settings: HeaderSettings) => {
  if (response.hasHeader('content-security-policy') || response.statusCode === 304) return
  const options = { connect: settings.nodeOrigins.current(), isSecure: settings.isSecure }
  if (kind === 'admin') response.setHeader('Content-Security-Policy', adminPolicy(options, nonce ?? null))
  else if (!isPage(response)) response.setHeader('Content-Security-Policy', DATA_POLICY)
}

const PICTURES = ['/api/cms/media/file/', '/api/uploads/profile/']
const isPicture = (request: IncomingMessage) => PICTURES.some((path) => request.url?.startsWith(path) === true)

// API responses, including refusals, are private to one caller and must not be cached. Pictures set their own caching.
const setApiHeaders = (response: ServerResponse, request: IncomingMessage) => {
  if (isPicture(request) && response.statusCode < 400) return
  response.setHeader('Cache-Control', 'private, no-store')
}

// Next repeats the Location header of a redirect from its cache; strict clients refuse such a response.
const keepOneLocation = (response: ServerResponse) => {
  const location = response.getHeader('location')
  if (Array.isArray(location)) response.setHeader('Location', location[0] ?? '/')
}

// Links in mails contain a token in their query: it must not leak to another page (security case 23). A shared log's is in its path.
const TOKEN_PAGE = /^\/[a-z]{2}\/(?:auth\/(?:passwordreset|email|deletion)(?:[/?]|$)|log\/)/
const mayHoldToken = (routing: Routing) =>
  routing.kind === 'mails' || (routing.kind === 'page' && TOKEN_PAGE.test(routing.target))

const hideToken = (response: ServerResponse) => {
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cache-Control', 'private, no-store')
  response.setHeader('X-Robots-Tag', 'noindex, nofollow')
}

type Marked = { readonly origins: readonly string[]; readonly scriptUrl: string; readonly mark: string }
let marked: Marked | undefined

/** The policies of all pages depend on these addresses. Every request needs the mark, so its hash is computed once per list. */
export const markOf = ({ nodeOrigins, stripeScriptUrl }: HeaderSettings): string => {
  const origins = nodeOrigins.current()
  if (marked?.origins !== origins || marked.scriptUrl !== stripeScriptUrl)
    marked = { origins, scriptUrl: stripeScriptUrl, mark: policyMark([...origins, stripeScriptUrl]) }
  return marked.mark
}

/** Sets the headers of a response right before it is sent. */
export const finishFor = ({ request, routing, requestId, nonce }: Answered, settings: HeaderSettings) => {
  const ofCard = isCardPage(routing) ? cardPageHeaders(cardOrigins(settings.stripeScriptUrl)) : {}
  const fixed = Object.assign({}, securityHeaders(settings.isSecure), ofCard)
  const mark = markOf(settings)
  return (response: ServerResponse): void => {
    for (const [name, value] of Object.entries(fixed)) response.setHeader(name, value)
    response.setHeader('X-Request-Id', requestId)
    response.removeHeader('x-powered-by')
    keepOneLocation(response)
    if (routing.kind === 'page') setPageHeaders(response, routing, mark)
    if (mayHoldToken(routing)) hideToken(response)
    if (routing.kind === 'api') setApiHeaders(response, request)
    if (routing.kind === 'file' && isDrawing(request) && response.statusCode < 400)
      response.setHeader('Cache-Control', DRAWING_CACHE)
    setDefaultPolicy(response, { kind: routing.kind, nonce }, settings)
  }
}
