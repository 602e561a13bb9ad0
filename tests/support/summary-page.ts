import type { Page } from '@playwright/test'
import type { PlayerDays } from '../../src/contracts/summary/figures.ts'
import { dayAfter } from '#domain/kernel/calendar-day.ts'
import { dayIn } from '../../src/lib/format/day.ts'

const HOUR_MS = 3_600_000

/** The last seven days of a zone with these counts, today last; the peak was an hour ago. */
export const countedDays = (counts: readonly (number | null)[], timeZone: string): PlayerDays => {
  const today = dayIn(Date.now(), timeZone)
  const known = counts.filter((count) => count !== null)
  const peak = { at: new Date(Date.now() - HOUR_MS).toISOString(), players: Math.max(...known) }
  const days = counts.map((most, at) => ({ day: dayAfter(today, at - counts.length + 1), most }))
  return { days, peak: known.length === 0 ? null : peak }
}

/** Answers for the line of the players in place of the control plane. */
export async function standInForPlayerDays(page: Page, days: PlayerDays): Promise<void> {
  await page.route(/\/api\/stats\/players\?/, (route) => route.fulfill({ json: days }))
}

/** The panels of the summary in the order of the page. */
export const panelsOf = (page: Page): Promise<string[]> =>
  page.locator('[data-panel]').evaluateAll((panels) => panels.map((panel) => panel.getAttribute('data-panel') ?? ''))
