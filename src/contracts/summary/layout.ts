import * as z from 'zod'
import { SUMMARY_PANELS } from '#domain/users/summary-layout.ts'

const Panel = z.enum(SUMMARY_PANELS)

/** `GET /api/user/summary-layout`: each panel once, in order, and those that the person hides. */
export const SummaryLayout = z.object({ order: z.array(Panel), hidden: z.array(Panel) })
export type SummaryLayout = z.infer<typeof SummaryLayout>

/** A layout as it is stored; a newer release may have written panels that this one does not know. */
export const StoredSummaryLayout = z.object({ order: z.array(z.string()), hidden: z.array(z.string()) })

/** `POST /api/user/summary-layout`: one change. `before` names a neighbour, because another window may have moved others meanwhile. */
export const SummaryLayoutChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('move'), panel: Panel, before: Panel.nullable() }),
  z.object({ kind: z.literal('show'), panel: Panel, shown: z.boolean() }),
  z.object({ kind: z.literal('reset') }),
])
export type SummaryLayoutChange = z.infer<typeof SummaryLayoutChange>
