/** The whole browser, of Debian's package of this name: benchmarks measure the program that people use. */
export const CHROMIUM = '/usr/bin/chromium'

/** The same engine without the browser's window, of Debian's package of this name: journeys wait less for the processor. */
export const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
