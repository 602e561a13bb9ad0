import { createHostFigures } from '../../account/host-figures.ts'
import { identity } from '../../identity/dependencies.ts'
import type { ApiArea } from '../api-call.ts'

let figures: ReturnType<typeof createHostFigures> | undefined

/** Figures of the whole host. */
export const statsArea = {
  'GET /api/stats/host': async () => {
    figures ??= createHostFigures(identity())
    return { body: await figures() }
  },
} satisfies ApiArea
