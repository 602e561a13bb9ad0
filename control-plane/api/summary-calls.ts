import { knownTimeZone, SITE_TIME_ZONE } from '#domain/users/time-zone.ts'
import { changeSummaryLayout, readSummaryLayout } from '../people/summary-layouts.ts'
import { readPlayerDays } from '../servers/store/player-days.ts'
import type { Context } from '../platform/context.ts'
import type { InternalCalls } from './api-deps.ts'

/** Calls of the summary: its figures, and how its panels are arranged. */
export const summaryCalls = ({
  context,
}: {
  readonly context: Context
}): Pick<InternalCalls, 'summary-layout' | 'change-summary-layout' | 'player-days'> => ({
  'summary-layout': ({ caller }) => readSummaryLayout(context.db, caller),
  'change-summary-layout': (input) => changeSummaryLayout(context, input),
  'player-days': ({ caller, timeZone }) =>
    readPlayerDays(context.db, {
      userId: caller.userId,
      nowMs: context.clock.now(),
      timeZone: knownTimeZone(timeZone ?? SITE_TIME_ZONE) ?? SITE_TIME_ZONE,
    }),
})
