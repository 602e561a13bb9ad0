'use client'
import { useLocale, useTranslations } from 'next-intl'
import { formatDate } from '@/lib/format-date.ts'
import type { Refusal } from '../auth-client.ts'
import { invalidKeys } from '../schemas.ts'
import type { InvalidKey } from '../schemas.ts'

const isInvalidKey = (value: string): value is InvalidKey => (invalidKeys as readonly string[]).includes(value)

/** Turns the forms' keys and the API's refusals into sentences of the reader's language. */
export const useAuthWords = () => {
  const locale = useLocale()
  const words = useTranslations('auth')
  const errors = useTranslations('errors')

  /** A field's error: one of our keys, or the sentence that the API sent. */
  const fieldError = (message: string | undefined): string | undefined =>
    message === undefined ? undefined : isInvalidKey(message) ? words(`invalid.${message}`) : message

  /**
   * A limit shows the time at which it ends. A sentence of the page's own language wins over the one that was sent, because
   * the language cookie may name another; what needs facts of the server comes from it.
   */
  const refusalText = ({ code, message, retryAfterSeconds }: Refusal): string => {
    if (code === 'NETWORK') return words('network')
    if (code === 'TOO_MANY_REQUESTS') {
      const until = new Date(Date.now() + (retryAfterSeconds ?? 60) * 1000)
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      return words('tooMany', { time: formatDate(until, locale, { style: 'clock', timeZone: zone }) })
    }
    if (code === 'INSUFFICIENT_BALANCE') return message
    return errors.has(code) ? errors(code) : message || errors('INTERNAL')
  }

  return { locale, words, fieldError, refusalText }
}
