import { useLocale } from 'next-intl'
import { useMemo } from 'react'
import { COUNTRY_CODES } from '#domain/billing/country.ts'

/**
 * All countries by name in the reader's language, in its order; none in a form without its person, because the site may know other
 * names than the browser.
 */
export const useCountries = (isBlank: boolean): readonly { code: string; name: string }[] => {
  const locale = useLocale()
  return useMemo(() => {
    if (isBlank) return []
    const names = new Intl.DisplayNames(locale, { type: 'region' })
    const collator = new Intl.Collator(locale)
    return COUNTRY_CODES.map((code) => ({ code, name: names.of(code) ?? code })).toSorted((a, b) =>
      collator.compare(a.name, b.name),
    )
  }, [locale, isBlank])
}
