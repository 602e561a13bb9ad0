import { localePath, splitLocale } from '@/i18n/negotiate.ts'

/** Specification section 2: /dashboard/ is home after login. */
export const homeAfterLogin = '/dashboard/'

const base = 'https://own.invalid'

/**
 * The target after signing in: the requested page if it is one of our own, else the dashboard. Anything that a browser
 * could read as another origin (`//host`, `/\host`, a scheme, control characters) is refused, and so are the sign-in
 * pages, except the one for the code from the mail.
 */
export const nextPath = (asked: string | null | undefined): string => {
  if (!asked || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(asked)) return homeAfterLogin
  const url = URL.canParse(asked, base) ? new URL(asked, base) : null
  if (url === null || url.origin !== base) return homeAfterLogin
  const { path } = splitLocale(url.pathname)
  if (/^\/(?:auth(?!\/verify\/?$)|api)(?:\/|$)/.test(path) || url.pathname.startsWith('//')) return homeAfterLogin
  return `${url.pathname}${url.search}${url.hash}`
}

/** Keeps the language of a prefixed sign-in page; the admin has no prefix. */
export const nextPathFrom = (asked: string | null | undefined, pathname: string): string => {
  const path = nextPath(asked)
  const here = splitLocale(pathname).locale
  if (here === null || splitLocale(path.split(/[?#]/)[0] ?? '').locale !== null || path.startsWith('/admin'))
    return path
  return localePath(here, path)
}
