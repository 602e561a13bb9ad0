import { HostFigures, PlayerDays, PlayerDaysQuery } from '../summary/figures.ts'
import { SummaryLayout, SummaryLayoutChange } from '../summary/layout.ts'

/** Rows of the API table: the summary's figures, and how a person arranges its panels. */
export const SUMMARY_ROUTES = {
  'GET /api/user/summary-layout': {
    summary: "Get the order of the panels on the user's summary, and the hidden ones",
    auth: 'user',
    limit: 'read',
    call: 'summary-layout',
    output: SummaryLayout,
  },
  'POST /api/user/summary-layout': {
    summary: "Move, show or hide a panel of the user's summary, or reset them all",
    auth: 'user',
    limit: 'arranging',
    input: SummaryLayoutChange,
    call: 'change-summary-layout',
    inputAs: 'change',
    output: SummaryLayout,
  },
  'GET /api/stats/players': {
    summary: "Get the most players of each of the last seven days on the user's servers",
    auth: 'user',
    limit: 'read',
    query: PlayerDaysQuery,
    call: 'player-days',
    output: PlayerDays,
  },
  'GET /api/stats/host': {
    summary: 'Get how many people are registered, unless staff hide it',
    auth: 'user',
    limit: 'read',
    output: HostFigures,
  },
} as const
