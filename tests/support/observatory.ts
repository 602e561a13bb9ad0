/**
 * The HTTP Observatory's published tests and scores (developer.mozilla.org, "Observatory tests & scoring") for one
 * page's response over https: a start of 100, penalties, and extra credit that counts from 90 on. 100 and more is A+.
 */
export interface ObservedPage {
  headers: Readonly<Record<string, string>>
  setCookies: readonly string[]
  html: string
  /** Whether a request over plain http is redirected to https, or nothing listens there. */
  redirectsToHttps: boolean
}
export interface Finding {
  test: string
  result: string
  modifier: number
}

type Policy = ReadonlyMap<string, readonly string[]>

function policyOf(text: string): Policy {
  const directives = text.split(';').map((part) => part.trim().split(/\s+/))
  return new Map(directives.filter(([name]) => name).map(([name = '', ...values]) => [name.toLowerCase(), values]))
}

const sourcesOf = (policy: Policy, name: string): readonly string[] =>
  policy.get(name) ?? policy.get('default-src') ?? ['*']

/** Inline code is unsafe only where no nonce and no hash switches 'unsafe-inline' off. */
const allowsInline = (sources: readonly string[]): boolean =>
  (sources.includes("'unsafe-inline'") && !sources.some((source) => /^'(nonce|sha(256|384|512))-/i.test(source))) ||
  sources.some((source) => ['*', 'data:', 'http:', 'https:'].includes(source))

const PASSIVE = new Set(['img-src', 'media-src'])
const isInsecure = (source: string): boolean => /^(http|ws|ftp):/i.test(source)

function contentSecurityPolicy(header: string | undefined): [string, number] {
  if (header === undefined) return ['csp-not-implemented', -25]
  const policy = policyOf(header)
  const scripts = sourcesOf(policy, 'script-src')
  if (allowsInline(scripts) || allowsInline(sourcesOf(policy, 'object-src'))) {
    return ['csp-implemented-with-unsafe-inline', -20]
  }
  const active = [...policy].filter(([name]) => !PASSIVE.has(name)).flatMap(([, sources]) => sources)
  if (active.some(isInsecure)) return ['csp-implemented-with-insecure-scheme', -20]
  if (scripts.includes("'unsafe-eval'")) return ['csp-implemented-with-unsafe-eval', -10]
  if ([...policy.values()].flat().some(isInsecure)) {
    return ['csp-implemented-with-insecure-scheme-in-passive-content-only', -10]
  }
  if (allowsInline(sourcesOf(policy, 'style-src'))) {
    return ['csp-implemented-with-unsafe-inline-in-style-src-only', 0]
  }
  if (policy.get('default-src')?.join(' ') === "'none'") {
    return ['csp-implemented-with-no-unsafe-default-src-none', 10]
  }
  return ['csp-implemented-with-no-unsafe', 5]
}

const SESSION = /sess|auth|token|sid|access|refresh/i

function cookies(setCookies: readonly string[]): [string, number] {
  if (setCookies.length === 0) return ['cookies-not-found', 0]
  const parsed = setCookies.map((cookie) => {
    const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim())
    const has = (name: string) => attributes.some((attribute) => attribute.toLowerCase().startsWith(name))
    return {
      isSession: SESSION.test(pair.split('=')[0] ?? ''),
      secure: has('secure'),
      httpOnly: has('httponly'),
      sameSite: has('samesite'),
    }
  })
  if (parsed.some(({ isSession, secure }) => isSession && !secure)) return ['cookies-session-without-secure-flag', -40]
  if (parsed.some(({ isSession, httpOnly }) => isSession && !httpOnly)) {
    return ['cookies-session-without-httponly-flag', -30]
  }
  if (parsed.some(({ secure }) => !secure)) return ['cookies-without-secure-flag', -20]
  return parsed.every(({ sameSite }) => sameSite)
    ? ['cookies-secure-with-httponly-sessions-and-samesite', 5]
    : ['cookies-secure-with-httponly-sessions', 0]
}

function crossOriginSharing({ headers }: ObservedPage): [string, number] {
  const origin = headers['access-control-allow-origin']
  if (origin === undefined) return ['cross-origin-resource-sharing-not-implemented', 0]
  return headers['access-control-allow-credentials'] === 'true' && origin !== 'null'
    ? ['cross-origin-resource-sharing-implemented-with-universal-access', -50]
    : ['cross-origin-resource-sharing-implemented-with-restricted-access', 0]
}

const SIX_MONTHS_SECONDS = 15_552_000

function strictTransport(header: string | undefined): [string, number] {
  if (header === undefined) return ['hsts-not-implemented', -20]
  const seconds = /max-age=(\d+)/i.exec(header)?.[1]
  if (seconds === undefined) return ['hsts-header-invalid', -20]
  return Number(seconds) >= SIX_MONTHS_SECONDS
    ? ['hsts-implemented-max-age-at-least-six-months', 0]
    : ['hsts-implemented-max-age-less-than-six-months', -10]
}

const PRIVATE_REFERRERS = ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin']
const UNSAFE_REFERRERS = ['origin', 'origin-when-cross-origin', 'unsafe-url', 'no-referrer-when-downgrade']

function referrer(header: string | undefined): [string, number] {
  if (header === undefined) return ['referrer-policy-not-implemented', 0]
  const last = header.toLowerCase().split(',').at(-1)?.trim() ?? ''
  if (PRIVATE_REFERRERS.includes(last)) return ['referrer-policy-private', 5]
  if (UNSAFE_REFERRERS.includes(last)) return ['referrer-policy-unsafe', -5]
  return ['referrer-policy-header-invalid', -5]
}

function subresourceIntegrity(html: string): [string, number] {
  const tags = [...html.matchAll(/<script\b[^>]*\bsrc="([^"]+)"[^>]*>/gi)]
  const foreign = tags.filter(([, source = '']) => /^(https?:)?\/\//i.test(source))
  if (foreign.length === 0) return ['sri-not-implemented-but-all-scripts-loaded-from-secure-origin', 0]
  if (foreign.some(([tag, source = '']) => !/\bintegrity="/.test(tag) && /^http:/i.test(source))) {
    return ['sri-not-implemented-and-external-scripts-not-loaded-securely', -50]
  }
  return foreign.every(([tag]) => /\bintegrity="/.test(tag))
    ? ['sri-implemented-and-external-scripts-loaded-securely', 5]
    : ['sri-not-implemented-but-external-scripts-loaded-securely', -5]
}

function frameOptions({ headers }: ObservedPage): [string, number] {
  const ancestors = policyOf(headers['content-security-policy'] ?? '').get('frame-ancestors')
  if (ancestors !== undefined && !ancestors.includes('*')) return ['x-frame-options-implemented-via-csp', 5]
  const header = headers['x-frame-options']?.toUpperCase()
  if (header === undefined) return ['x-frame-options-not-implemented', -20]
  return ['DENY', 'SAMEORIGIN'].includes(header)
    ? ['x-frame-options-sameorigin-or-deny', 5]
    : ['x-frame-options-header-invalid', -20]
}

function contentType(header: string | undefined): [string, number] {
  if (header === undefined) return ['x-content-type-options-not-implemented', -5]
  return header.toLowerCase() === 'nosniff'
    ? ['x-content-type-options-nosniff', 0]
    : ['x-content-type-options-header-invalid', -5]
}

function resourcePolicy(header: string | undefined): [string, number] {
  if (header === undefined) return ['cross-origin-resource-policy-not-implemented', 0]
  if (['same-origin', 'same-site'].includes(header))
    return [`cross-origin-resource-policy-implemented-with-${header}`, 10]
  return header === 'cross-origin'
    ? ['cross-origin-resource-policy-implemented-with-cross-origin', 0]
    : ['cross-origin-resource-policy-header-invalid', -5]
}

const GRADES: readonly (readonly [number, string])[] = [
  [100, 'A+'],
  [90, 'A'],
  [85, 'A-'],
  [80, 'B+'],
  [70, 'B'],
  [65, 'B-'],
  [60, 'C+'],
  [50, 'C'],
  [45, 'C-'],
  [40, 'D+'],
  [30, 'D'],
  [25, 'D-'],
]
const EXTRA_CREDIT_FROM = 90

/** Score, grade and the finding of each test. */
export function observe(page: ObservedPage): { score: number; grade: string; findings: readonly Finding[] } {
  const { headers } = page
  const results: readonly (readonly [string, readonly [string, number]])[] = [
    ['content-security-policy', contentSecurityPolicy(headers['content-security-policy'])],
    ['cookies', cookies(page.setCookies)],
    ['cross-origin-resource-sharing', crossOriginSharing(page)],
    ['redirection', page.redirectsToHttps ? ['redirection-to-https', 0] : ['redirection-missing', -20]],
    ['referrer-policy', referrer(headers['referrer-policy'])],
    ['strict-transport-security', strictTransport(headers['strict-transport-security'])],
    ['subresource-integrity', subresourceIntegrity(page.html)],
    ['x-content-type-options', contentType(headers['x-content-type-options'])],
    ['x-frame-options', frameOptions(page)],
    ['cross-origin-resource-policy', resourcePolicy(headers['cross-origin-resource-policy'])],
  ]
  const findings = results.map(([test, [result, modifier]]) => ({ test, result, modifier }))
  const sum = (chosen: readonly Finding[]) => chosen.reduce((total, { modifier }) => total + modifier, 0)
  const base = 100 + sum(findings.filter(({ modifier }) => modifier < 0))
  const score = Math.max(
    0,
    base >= EXTRA_CREDIT_FROM ? base + sum(findings.filter(({ modifier }) => modifier > 0)) : base,
  )
  return { score, grade: GRADES.find(([from]) => score >= from)?.[1] ?? 'F', findings }
}
