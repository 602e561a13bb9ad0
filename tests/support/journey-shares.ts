import { sliceOf } from './slice.ts'

/** A run of `npm test` takes one of so many shares of the other journeys. */
export const JOURNEY_SHARES = 3

/**
 * Journeys of each run: money, sign-in, the first server, its console and files, tickets, attacks, and the matrices that
 * share themselves out (a share of a share would leave some of their cases out for good).
 */
export const EVERY_RUN: readonly string[] = [
  'accounts',
  'admin-accessibility',
  'admin-attacks',
  'admin-refusals',
  'card-payments',
  'collaborators',
  'console',
  'dialogs',
  'files',
  'frame',
  'order-faults',
  'panel-routes',
  'privacy',
  'public-pages',
  'redirect-payments',
  'rent-a-server',
  'screens',
  'second-factor',
  'servers-list',
  'shifts',
  'staff-money',
  'staff-tickets',
  'stored-scripts',
  'summary',
  'tickets',
  'tickets-day',
  'tickets-files',
  'tickets-hostile',
  'tickets-live',
  'tickets-states',
  'two-people',
]

const nameOf = (file: string): string => file.replace(/\.e2e\.ts$/, '')

/** The files of journeys that this run leaves to those of other commits; none for a run of everything or by hand. */
export const journeysLeftOut = (files: readonly string[], slice = process.env['BAKTER_TEST_SLICE']): string[] => {
  const others = files.filter((file) => !EVERY_RUN.includes(nameOf(file))).toSorted()
  const taken = new Set(sliceOf(others, JOURNEY_SHARES, slice))
  return others.filter((file) => !taken.has(file))
}
