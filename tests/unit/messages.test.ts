import { readFileSync } from 'node:fs'
import { createTranslator } from 'next-intl'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/contracts/http/errors.ts'
import { NOTIFICATION_KEYS } from '../../src/contracts/http/notification.ts'
import { STATUS_BY_WORD } from '../../src/domain/servers/status.ts'
import { errorWords } from '../../src/lib/errors/error-words.ts'
import de from '../../src/messages/de.json' with { type: 'json' }
import en from '../../src/messages/en.json' with { type: 'json' }
import hu from '../../src/messages/hu.json' with { type: 'json' }

type Tree = { [name: string]: string | Tree }
const catalogs: Readonly<Record<'en' | 'hu' | 'de', Tree>> = { en, hu, de }

const flat = (tree: Tree, prefix = ''): Map<string, string> => {
  const rows = new Map<string, string>()
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === 'string') rows.set(prefix + name, value)
    else for (const [inner, text] of flat(value, `${prefix}${name}.`)) rows.set(inner, text)
  }
  return rows
}

/**
 * Names of the arguments and of the rich-text tags of an ICU message. The text behind `one` or `other` is a branch, no
 * argument.
 */
const parametersOf = (text: string): string[] => {
  const names = [...text.matchAll(/(?<!(?:\b(?:zero|one|two|few|many|other)|=\d+)\s*)\{\s*([a-zA-Z]\w*)\s*[,}]/g)]
  const tags = [...text.matchAll(/<([a-zA-Z]\w*)>/g)].map((match) => `<${match[1]}>`)
  return [...new Set([...names.map((match) => match[1] ?? ''), ...tags])].toSorted()
}

const english = flat(catalogs.en)

describe.each(['hu', 'de'] as const)('the %s catalog', (locale) => {
  const other = flat(catalogs[locale])

  it('has the keys of the English one, no more and no fewer', () => {
    expect([...other.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  })

  it('takes the same arguments and tags in every message', () => {
    const wrong = [...english].flatMap(([key, text]) => {
      const theirs = parametersOf(other.get(key) ?? '')
      return JSON.stringify(parametersOf(text)) === JSON.stringify(theirs) ? [] : [key]
    })
    expect(wrong).toEqual([])
  })
})

describe.each(['en', 'hu', 'de'] as const)('every message of %s', (locale) => {
  it('can be formatted', () => {
    const failed: string[] = []
    const translate = createTranslator<Record<string, unknown>>({
      locale,
      messages: catalogs[locale],
      timeZone: 'Europe/Budapest',
      onError: (error) => failed.push(error.message),
    }) as unknown as { rich: (key: string, values: Record<string, unknown>) => unknown }
    for (const [key, text] of flat(catalogs[locale])) {
      const values = parametersOf(text).map((name) =>
        name.startsWith('<') ? [name.slice(1, -1), (chunks: unknown) => chunks] : [name, 1],
      )
      translate.rich(key, Object.fromEntries(values))
    }
    expect(failed).toEqual([])
  })

  it('is not empty and has no straight space before a unit of money', () => {
    const wrong = [...flat(catalogs[locale])].filter(([, text]) => text.trim() === '' || /\d Ft/.test(text))
    expect(wrong).toEqual([])
  })

  it('includes a sentence for each error code and each status label', () => {
    const keys = flat(catalogs[locale])
    const needed = [
      ...ERROR_CODES.map((code) => `errors.${code}`),
      ...Object.values(STATUS_BY_WORD).map(({ label }) => `status.${label}`),
    ]
    expect(needed.filter((key) => !keys.has(key))).toEqual([])
  })

  it('includes a sentence for each notification, of what a notification carries', () => {
    const keys = flat(catalogs[locale])
    // The page derives `owes` from the debt, `test` from the kind of server, `purchase` from the sale, `known` from the error, and `rates` from who reads it.
    const sale = ['amount', 'debt', 'owes', 'product', 'purchase', 'test']
    const carried = [...sale, ...'again count days error known merged name person rates reason title'.split(' ')]
    const wrong = NOTIFICATION_KEYS.filter((key) => {
      const text = keys.get(`notifications.${key}`)
      return text === undefined || parametersOf(text).some((name) => !carried.includes(name))
    })
    expect(wrong).toEqual([])
  })

  it('says on the error pages what the built-in sentences say', () => {
    const words = errorWords(locale)
    const keys = flat(catalogs[locale])
    expect(words).toEqual({
      error: keys.get('errorPage.error'),
      title: keys.get('errorPage.title'),
      safe: keys.get('errorPage.safe'),
      retry: keys.get('common.retry'),
      backHome: keys.get('errorPage.backHome'),
      reportId: keys.get('common.reportId'),
      copy: keys.get('common.copy'),
      copied: keys.get('common.copied'),
      copyFailed: keys.get('common.copyFailed'),
      inError: keys.get('errorPage.inError'),
      goHome: keys.get('errorPage.goHome'),
    })
  })
})

/** Every message that the specification quotes, letter by letter, and where the English catalog holds it. */
const quoted: readonly (readonly [text: string, path: string])[] = [
  ['Invalid code.', 'refusals.invalidCode'],
  ['You need extra {price} HUF to purchase this server.', 'refusals.needExtra'],
  ["You don't have enough balance for this purchase!", 'refusals.notEnoughBalance'],
  ['Invalid spin count!', 'refusals.invalidSpinCount'],
  ['The coupon does not exist!', 'refusals.couponNotFound'],
  ['Invalid coupon code...', 'refusals.invalidCoupon'],
  ['The key is not valid...', 'refusals.invalidKey'],
  ['Failed to reconnect to console. Please refresh the page.', 'refusals.consoleReconnect'],
  ['The given passwords are mismatching.', 'refusals.passwordsMismatch'],
  ['This page could not be found', 'errorPage.notFound'],
  ['Error', 'errorPage.error'],
  ['An error occurred while showing the error page', 'errorPage.inError'],
  ['Go back home', 'errorPage.goHome'],
  ['Invalid code.', 'errors.INVALID_CODE'],
  ['You need extra {price} HUF to purchase this server.', 'errors.INSUFFICIENT_BALANCE'],
  ['The coupon does not exist!', 'errors.COUPON_NOT_FOUND'],
  ['The given passwords are mismatching.', 'auth.invalid.mismatch'],
]

describe('messages quoted by the specification', () => {
  it.each(quoted)('%s is in the English catalog as %s', (text, path) => {
    expect(english.get(path)).toBe(text)
  })
})

describe.each(['en', 'hu', 'de'])('the %s catalog as text', (locale) => {
  it('names each top-level group once', () => {
    const text = readFileSync(new URL(`../../src/messages/${locale}.json`, import.meta.url), 'utf8')
    const names = [...text.matchAll(/^ {2}"([^"]+)":/gm)].map((match) => match[1])
    expect(names.length).toBeGreaterThan(8)
    expect(names).toEqual([...new Set(names)])
  })
})
