import * as z from 'zod'
import { AmountFt, Id, Instant, SeenFt } from '../primitives.ts'
import { ChallengeToken } from './auth.ts'
import { ProofRequest } from './second-factor.ts'

/** `available` is false until staff have entered an application of Discord. */
export const DiscordState = z.object({
  available: z.boolean(),
  link: z.object({ name: z.string(), linkedAt: Instant }).nullable(),
})
export type DiscordState = z.infer<typeof DiscordState>

/** `next` is the page to come back to; anything but an own path counts as the dashboard. */
export const DiscordBegin = z.object({ next: z.string().max(500).optional() })
/** Where the browser goes: a page of Discord that asks the person. */
export const DiscordBegun = z.object({ url: z.url() })

/** How Discord comes back to `/login`: with a code, or with an error when the person refused. */
export const DiscordReturn = z.object({
  state: z.string().min(20).max(200),
  code: z.string().min(1).max(500).optional(),
  error: z.string().max(200).optional(),
})
export type DiscordReturn = z.infer<typeof DiscordReturn>

/** What a link came to; the settings page shows a sentence for each but the first. */
export const DISCORD_RESULTS = ['linked', 'failed', 'taken'] as const
export type DiscordResult = (typeof DISCORD_RESULTS)[number]

/** A server that would be left behind. */
export const LeftServer = z.object({ id: Id, name: z.string(), isRunning: z.boolean(), expiresAt: Instant })

/** The part of a departure that the control plane knows. */
export const DepartureFigures = z.object({
  balanceFt: AmountFt,
  /** What a bank took back and is not paid yet. A control plane of the release before does not say it. */
  debtFt: AmountFt.default(0),
  openOrders: z.int(),
  openPayments: z.int(),
  servers: z.array(LeftServer),
})
export type DepartureFigures = z.infer<typeof DepartureFigures>

/** What stands in the way of a deletion, or is given up by it. */
export const DepartureState = DepartureFigures.extend({ isLastAdministrator: z.boolean() })
export type DepartureState = z.infer<typeof DepartureState>

/** `waiveBalanceFt` is the figure that the person saw: a balance that has grown since is not given up. */
export const DeletionRequest = ProofRequest.extend({
  waiveBalanceFt: SeenFt.optional(),
  giveUpServers: z.boolean().optional(),
})
export type DeletionRequest = z.infer<typeof DeletionRequest>
export const DeletionAnswer = z.object({ eraseAt: Instant })

/** The token of the mail's link, or the challenge that a sign-in was answered with. */
export const DeletionUndo = z.object({
  token: z.string().max(200).optional(),
  challenge: ChallengeToken.optional(),
})
export type DeletionUndo = z.infer<typeof DeletionUndo>

/** A page of what one table holds of a person; `next` is the offset of the next one. */
export const ExportPage = z.object({
  rows: z.array(z.record(z.string(), z.unknown())),
  next: z.int().nullable(),
})
export type ExportPage = z.infer<typeof ExportPage>
