import * as z from 'zod'

const Span = z.int().min(0)

/** How long starts of a server usually take on its node, and the one that is under way. */
export const StartTimes = z.object({
  /** Null with fewer than three starts of this image on this node. */
  usual: z.object({ count: z.int().min(1), medianMs: Span, lowMs: Span, highMs: Span }).nullable(),
  /** How long the server has been starting; null when it is not. */
  startingForMs: Span.nullable(),
})
export type StartTimes = z.infer<typeof StartTimes>
