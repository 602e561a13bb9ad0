import { useLocale } from 'next-intl'
import { useMemo } from 'react'
import { COUNTRY_CODES } from '#domain/billing/country.ts'

/** All countries by name in the reader's language, in its order. */
export const useCountries = (): readonly { code: string; name: string }[] => {
  const locale = useLocale()
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'region' })
    const collator = new Intl.Collator(locale)
    return COUNTRY_CODES.map((code) => ({ code, name: names.of(code) ?? code })).toSorted((a, b) =>
      collator.compare(a.name, b.name),
    )
  }, [locale])
}
