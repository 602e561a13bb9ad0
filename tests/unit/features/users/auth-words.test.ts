import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../../../src/features/users/auth-client.ts'
import { authWordsOf, fieldSentence, refusalSentence } from '../../../../src/features/users/auth-words.ts'
import { invalidKeys } from '../../../../src/features/users/schemas.ts'
import de from '../../../../src/messages/de.json' with { type: 'json' }
import en from '../../../../src/messages/en.json' with { type: 'json' }
import hu from '../../../../src/messages/hu.json' with { type: 'json' }

const catalogs = { en, hu, de }
const clock = { nowMs: Date.parse('2026-12-04T19:14:05Z'), timeZone: 'Europe/Budapest' }
const refusal = (change: Partial<Refusal>): Refusal => ({
  ok: false,
  code: 'INTERNAL',
  message: 'sent',
  fields: {},
  retryAfterSeconds: null,
  ...change,
})

describe.each(['en', 'hu', 'de'] as const)('the forms’ words in %s', (locale) => {
  const words = authWordsOf(locale, catalogs[locale])

  it('need no message library: four have one place that is filled as it stands', () => {
    const withArguments = Object.entries(words.auth).filter(([, text]) => /[{<]/.test(text))
    expect(withArguments.map(([key, text]) => [key, text.match(/\{.*?\}|</g)])).toEqual([
      ['tooMany', ['{time}']],
      ['verifySentTo', ['{email}']],
      ['resendWait', ['{seconds}']],
      ['deletionUntil', ['{time}']],
    ])
    expect(Object.values(words.errors).filter((text) => text.includes('{'))).toEqual([])
  })

  it('have a sentence for each refusal of a field', () => {
    for (const key of invalidKeys) expect(fieldSentence(words, key)).toBe(catalogs[locale].auth.invalid[key])
    expect(fieldSentence(words, 'A sentence of the API.')).toBe('A sentence of the API.')
    expect(fieldSentence(words, undefined)).toBeUndefined()
  })

  it('say a refusal in the page’s language', () => {
    expect(refusalSentence(words, refusal({ code: 'INVALID_CODE' }), clock)).toBe(catalogs[locale].errors.INVALID_CODE)
    expect(refusalSentence(words, refusal({ code: 'NETWORK' }), clock)).toBe(catalogs[locale].auth.network)
  })

  it('leave sentences with facts to the API', () => {
    expect(refusalSentence(words, refusal({ code: 'INSUFFICIENT_BALANCE' }), clock)).toBe('sent')
    expect(refusalSentence(words, refusal({ code: 'INSUFFICIENT_BALANCE', message: '' }), clock)).toBe(
      catalogs[locale].errors.INTERNAL,
    )
  })

  it('show the time at which a limit ends', () => {
    const limited = refusal({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 90 })
    expect(refusalSentence(words, limited, clock)).toContain('20:15:35')
    expect(refusalSentence(words, { ...limited, retryAfterSeconds: null }, clock)).toContain('20:15:05')
  })
})
