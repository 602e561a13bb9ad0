'use client'
import { SummaryLayout, type SummaryLayoutChange } from '#contracts/summary/layout.ts'
import { changedSummary, summaryOf } from '#domain/users/summary-layout.ts'
import { useArrangement, type Arrangement } from '@/lib/queries/use-arrangement.ts'

const SUMMARY: Arrangement<SummaryLayout, SummaryLayoutChange> = {
  path: '/api/user/summary-layout',
  key: ['summary-layout'],
  schema: SummaryLayout,
  changed: (layout, change) => SummaryLayout.parse(summaryOf(changedSummary(layout, change))),
  // The whole page waits for its order: a control plane that does not respond would be waited for twice.
  retry: false,
}

/** The reader's order of the summary's panels, and how to change it. */
export const useSummaryLayout = () => useArrangement(SUMMARY)
export type SummaryArranging = ReturnType<typeof useSummaryLayout>['change']
