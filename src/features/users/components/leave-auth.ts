import { localePath, splitLocale } from '@/i18n/negotiate.ts'
import { nextPathFrom } from '../../../lib/navigation/next-path.ts'

const asked = () => new URLSearchParams(window.location.search).get('next')

/** The target after signing in. */
export const targetAfterLogin = (): string => nextPathFrom(asked(), window.location.pathname)

const isHome = (path: string): boolean => /^(?:\/[a-z]{2})?\/dashboard(?:\/summary)?\/?$/.test(path)

/** The target after a confirmed address: the requested page, else the promised next step, the first top-up. */
export const targetAfterVerify = (): string => {
  const next = asked()
  if (next !== null && !isHome(next)) return targetAfterLogin()
  return nextPathFrom('/dashboard/balance/summary', window.location.pathname)
}

const authPage = (page: string): string => {
  const { locale } = splitLocale(window.location.pathname)
  return locale === null ? page : localePath(locale, page)
}

const withNext = (page: string, next: string | null): string =>
  next === null ? page : `${page}?next=${encodeURIComponent(next)}`

/** The page that asks for the code from the mail, in the same language, keeping the requested page. */
export const verifyAfterRegistration = (): string => withNext(authPage('/auth/verify'), asked())

/** The sign-in page that leads back to the code. */
export const loginToVerify = (): string => withNext(authPage('/auth/login'), authPage('/auth/verify'))

/**
 * Removes a token from the address: it is read once, and neither history nor a copied address contains it afterwards.
 */
export const takeFromAddress = (name: string): string | null => {
  const url = new URL(window.location.href)
  const value = url.searchParams.get(name)
  if (value === null) return null
  url.searchParams.delete(name)
  window.history.replaceState(window.history.state, '', `${url.pathname}${url.search}${url.hash}`)
  return value
}
