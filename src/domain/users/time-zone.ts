/** The zone of the site: that of its times until a reader chooses another, and that of the house's days. */
export const SITE_TIME_ZONE = 'Europe/Budapest'
/** Longer than any name of the IANA database. */
export const TIME_ZONE_LENGTH = 64
// Offsets ("+02:00") are not zones: they do not include summer time.
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/

/** The canonical name of an IANA zone ("europe/budapest" is "Europe/Budapest"), or null for any other text. */
export const knownTimeZone = (name: string): string | null => {
  if (name.length > TIME_ZONE_LENGTH || !NAME.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
