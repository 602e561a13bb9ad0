/**
 * The browser of the journeys, of Debian's package chromium-headless-shell: Chromium without the window that nobody sees,
 * which takes a third of the processor's time.
 */
export const CHROMIUM = '/usr/bin/chromium-headless-shell'
