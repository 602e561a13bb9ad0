import * as z from 'zod'
import { ServerLayout, ServerLayoutChange } from '../http/server-layout.ts'
import { ServerPlayersList } from '../panel/players.ts'
import { PlayerDays, PlayerDaysQuery } from '../summary/figures.ts'
import { SummaryLayout, SummaryLayoutChange } from '../summary/layout.ts'

/** Calls about what the caller arranges, and about the players that are shown there. */
export const arrangingCalls = <Caller extends z.ZodType>(caller: Caller) => ({
  'player-counts': { input: z.object({ caller }), output: ServerPlayersList },
  'server-layout': { input: z.object({ caller }), output: ServerLayout },
  'change-server-layout': { input: z.object({ caller, change: ServerLayoutChange }), output: ServerLayout },
  'summary-layout': { input: z.object({ caller }), output: SummaryLayout },
  'change-summary-layout': { input: z.object({ caller, change: SummaryLayoutChange }), output: SummaryLayout },
  'player-days': { input: z.object({ caller, ...PlayerDaysQuery.shape }), output: PlayerDays },
})
