import type { Locale } from '../i18n/locales.ts'
import { localePath, negotiate, splitLocale } from '../i18n/negotiate.ts'
import { APPLE_PAY_PATH } from './apple-pay-domain.ts'
import { PUSH_WORKER_PATH } from './push-worker.ts'

/** The inputs of a routing decision. `target` is the request line's path and query, `acceptLanguage` a raw header. */
export type RoutingQuestion = {
  readonly target: string
  readonly localeCookie: string | null
  readonly acceptLanguage: string | undefined
  readonly hasSession: boolean
}

export type Routing =
  /** Next handles the path as it is: the API, the admin, chunks and files. */
  | { readonly kind: 'api' | 'admin' | 'asset' | 'file' }
  /**
   * A page in a language. `target` is the path passed to Next; `isPublic` pages are the same for everyone at that
   * address.
   */
  | { readonly kind: 'page'; readonly target: string; readonly locale: Locale; readonly isPublic: boolean }
  | { readonly kind: 'redirect'; readonly location: string }
  /** The control plane's public listener handles it: payment pages and webhooks. */
  | { readonly kind: 'payments' }
  /** The demo's mailbox, which does not exist in production. */
  | { readonly kind: 'mails' }
  /** The service worker for pushes. */
  | { readonly kind: 'worker' }
  /** The proof that Apple Pay may be shown here. */
  | { readonly kind: 'apple-pay' }
  | { readonly kind: 'absent' }

const isUnder = (path: string, root: string) => path === root || path.startsWith(`${root}/`)

/** Whether a path, without its query, is a page of the admin. */
export const isAdminPath = (path: string): boolean => isUnder(path, '/admin')

// Next's metadata files are at the root and have no language. Only existing ones are listed: any other would reach Next
// as a page in a language of that name.
const ROOT_FILE = /^\/(robots\.txt|sitemap\.xml|icon\.svg)$/

// The drawings that the site brings; they have no language either.
const DRAWING = /^\/pictures\/[a-z]+\/[a-z0-9-]+\.svg$/

const fixedKind = (path: string): Routing | null => {
  if (isUnder(path, '/api/internal') || isUnder(path, '/api/ws')) return { kind: 'absent' }
  if (isUnder(path, '/api')) return { kind: 'api' }
  if (isAdminPath(path)) return { kind: 'admin' }
  // The return address of external sign-ins and links: not a page, and the same in every language.
  if (path === '/login') return { kind: 'api' }
  if (isUnder(path, '/_next')) return { kind: 'asset' }
  if (isUnder(path, '/payments')) return { kind: 'payments' }
  if (path === PUSH_WORKER_PATH) return { kind: 'worker' }
  if (path === APPLE_PAY_PATH) return { kind: 'apple-pay' }
  return ROOT_FILE.test(path) || DRAWING.test(path) ? { kind: 'file' } : null
}

const isShell = (path: string) => isUnder(path, '/dashboard') || isUnder(path, '/panel')

const loginTarget = (locale: Locale | null, target: string): string => {
  const login = locale === null ? '/auth/login' : localePath(locale, '/auth/login')
  return `${login}?next=${encodeURIComponent(target)}`
}

// The next parser of the address drops such segments, and would then handle another path than the one decided on here.
// Browsers drop them before sending.
const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?=[/\\]|$)/i

const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

// An undecodable address names nothing; with its percent signs taken literally it becomes a 404.
const readable = (path: string): string => (isDecodable(path) ? path : path.replaceAll('%', '%25'))

/** The sign-in pages; below `/auth` there is nothing else. */
export const AUTH_PAGES = ['login', 'logout', 'register', 'verify', 'passwordreset', 'email', 'deletion'] as const

const AUTH_PATH = /^\/auth(?:\/(.*))?$/

// Ids are written in small letters. A program may have copied one in capitals, and a node knows only the one form.
const PANEL_PATH = /^(\/panel\/)([^/]+)(\/.*)?$/
const SHOUTED_ID = /^(?=.*[A-F])[\dA-Fa-f]{8}-(?:[\dA-Fa-f]{4}-){3}[\dA-Fa-f]{12}$/

/** The redirect inside the panel: without a page to the console, and to the id as it is written. */
const forwardedPanel = (path: string): string | null => {
  const [, panel = '', id = '', rest = ''] = PANEL_PATH.exec(path) ?? []
  if (id === '') return null
  const isBare = /^\/*$/.test(rest)
  if (!isBare && !SHOUTED_ID.test(id)) return null
  return `${panel}${SHOUTED_ID.test(id) ? id.toLowerCase() : id}${isBare ? '/console' : rest}`
}

/** The redirect of a path without a page, or null: each to the first page of its section (clarifications part 3). */
const forwarded = (path: string, hasSession: boolean): string | null => {
  const plain = path.replace(/\/+$/, '')
  if (plain === '/dashboard') return '/dashboard/summary'
  if (plain === '/dashboard/balance') return '/dashboard/balance/summary'
  if (plain === '/panel') return '/dashboard/servers'
  const panel = forwardedPanel(path)
  if (panel !== null) return panel
  const auth = AUTH_PATH.exec(plain)
  if (auth === null || AUTH_PAGES.some((page) => page === auth[1])) return null
  return hasSession ? '/dashboard/summary' : '/auth/login'
}

const splitTarget = (target: string) => {
  const at = target.indexOf('?')
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at) }
}

/**
 * Decides what handles a request. Unprefixed pages get the reader's language and are never redirected to a prefix;
 * dashboard, panel and admin need a session cookie. `next` always contains a path of this site, because it is this
 * request's.
 */
export const routeRequest = (question: RoutingQuestion): Routing => {
  const { path: asked, query } = splitTarget(question.target)
  const path = readable(asked)
  // A browser would follow a redirect to `//host` or `/\host` to another site.
  if (!path.startsWith('/')) return { kind: 'absent' }
  if (/^\/[/\\]/.test(path)) return { kind: 'redirect', location: `/${path.replace(/^[/\\]+/, '')}${query}` }
  if (DOT_SEGMENT.test(path)) return { kind: 'absent' }
  const fixed = fixedKind(path)
  if (fixed && path !== asked) return { kind: 'absent' }
  if (fixed?.kind === 'admin' && !question.hasSession) {
    return { kind: 'redirect', location: loginTarget(null, question.target) }
  }
  if (fixed) return fixed
  const prefixed = splitLocale(path)
  if (prefixed.path === '/login') return { kind: 'redirect', location: `/login${query}` }
  const isOpen = !isShell(prefixed.path)
  if (!isOpen && !question.hasSession) {
    return { kind: 'redirect', location: loginTarget(prefixed.locale, question.target) }
  }
  const forward = forwarded(prefixed.path, question.hasSession)
  if (forward !== null) {
    // The query of an unknown sign-in page is meaningless to the page shown in its place.
    const kept = isOpen ? '' : query
    const location = prefixed.locale === null ? forward : localePath(prefixed.locale, forward)
    return { kind: 'redirect', location: `${location}${kept}` }
  }
  const locale = prefixed.locale ?? negotiate(question.localeCookie, question.acceptLanguage)
  const target = `${prefixed.locale === null ? localePath(locale, path) : path}${query}`
  return { kind: 'page', target, locale, isPublic: isOpen && prefixed.locale !== null }
}
