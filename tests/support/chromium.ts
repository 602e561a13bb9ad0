/** The browser of the journeys; Debian's package of this name. */
export const CHROMIUM = '/usr/bin/chromium'
