/**
 * Chromium without a browser around it: no windows, no pages of its own interface, which cost as much as the pages under test.
 * It comes from Debian's package of this name.
 */
export const CHROMIUM = '/usr/bin/chromium-headless-shell'
