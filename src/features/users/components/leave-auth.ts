import { localePath, splitLocale } from '@/i18n/negotiate.ts'
import { nextPathFrom } from '../next-path.ts'

const asked = () => new URLSearchParams(window.location.search).get('next')

/** Where the browser goes once it is signed in. */
export const targetAfterLogin = (): string => nextPathFrom(asked(), window.location.pathname)

/** The sign-in page in the same language, with the page that was asked for. */
export const loginAfterRegistration = (): string => {
  const { locale } = splitLocale(window.location.pathname)
  const login = locale === null ? '/auth/login' : localePath(locale, '/auth/login')
  const next = asked()
  return next === null ? login : `${login}?next=${encodeURIComponent(next)}`
}
