import { formatDate } from '@/lib/format/date.ts'
import type en from '@/messages/en.json'
import type { Refusal } from './auth-client.ts'

type Catalog = Pick<typeof en, 'auth' | 'errors'>
export type AuthKey = Exclude<keyof Catalog['auth'], 'invalid' | 'terms'>
export type AuthWords = {
  locale: string
  auth: Readonly<Record<AuthKey, string>>
  invalid: Readonly<Record<string, string>>
  errors: Readonly<Record<string, string>>
}

const isPlain = (text: unknown): text is string => typeof text === 'string' && !text.includes('{')

/**
 * The forms' texts in the browser, as plain sentences: so few that a message library would be larger than the forms.
 * Refusals with values in their sentence are omitted, because the API sends those complete.
 */
export const authWordsOf = (locale: string, { auth, errors }: Catalog): AuthWords => {
  const { invalid, terms: _terms, ...words } = auth
  const plain = Object.entries(errors).filter((entry): entry is [string, string] => isPlain(entry[1]))
  return { locale, auth: words, invalid, errors: Object.fromEntries(plain) }
}

/** A field's error: the sentence of one of our keys, or the one sent by the API. */
export const fieldSentence = ({ invalid }: AuthWords, message: string | undefined): string | undefined =>
  message === undefined ? undefined : (invalid[message] ?? message)

/**
 * A refusal's sentence. A limit states the time at which it ends, on the reader's own clock. A sentence in the page's
 * language takes precedence over the one sent, because the language cookie may name another.
 */
export const refusalSentence = (
  { locale, auth, errors }: AuthWords,
  { code, message, retryAfterSeconds }: Refusal,
  clock: { nowMs: number; timeZone: string },
): string => {
  if (code === 'NETWORK') return auth.network
  if (code === 'TOO_MANY_REQUESTS') {
    const until = clock.nowMs + (retryAfterSeconds ?? 60) * 1000
    return auth.tooMany.replace('{time}', formatDate(until, locale, { style: 'clock', timeZone: clock.timeZone }))
  }
  return errors[code] ?? (message || errors['INTERNAL'] || code)
}
