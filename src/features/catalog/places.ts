import type { ServicePlace } from '#contracts/http/service.ts'

export type ShownPlace = { readonly name: string; readonly pingMs: number | null }

/** City and country in the reader's language, each place once, with the shortest ping to one of its computers. */
export const placesOf = (
  places: readonly Pick<ServicePlace, 'city' | 'country'>[],
  { locale, pings }: { locale: string; pings: readonly (number | null)[] },
): readonly ShownPlace[] => {
  const countries = new Intl.DisplayNames(locale, { type: 'region' })
  const shown = new Map<string, number | null>()
  for (const [index, { city, country }] of places.entries()) {
    const name = [city, country && countries.of(country)].filter(Boolean).join(', ')
    const [before, ping] = [shown.get(name) ?? null, pings[index] ?? null]
    if (name !== '') shown.set(name, before !== null && ping !== null ? Math.min(before, ping) : (before ?? ping))
  }
  return [...shown].map(([name, pingMs]) => ({ name, pingMs }))
}
