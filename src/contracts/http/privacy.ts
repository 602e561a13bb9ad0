import * as z from 'zod'
import { AmountFt, Id, Instant, SeenFt } from '../primitives.ts'
import { ChallengeToken } from './auth.ts'
import { ProofRequest } from './second-factor.ts'

/** `available` is false until staff have entered a Discord application. */
export const DiscordState = z.object({
  available: z.boolean(),
  link: z.object({ name: z.string(), linkedAt: Instant }).nullable(),
})
export type DiscordState = z.infer<typeof DiscordState>

/** `next` is the page to return to; anything but an own path means the dashboard. */
export const DiscordBegin = z.object({ next: z.string().max(500).optional() })
/** The redirect for the browser: Discord's consent page. */
export const DiscordBegun = z.object({ url: z.url() })

/** Discord's redirect to `/login`: with a code, or with an error if the person refused. */
export const DiscordReturn = z.object({
  state: z.string().min(20).max(200),
  code: z.string().min(1).max(500).optional(),
  error: z.string().max(200).optional(),
})
export type DiscordReturn = z.infer<typeof DiscordReturn>

/** The result of a link; the settings page has a sentence for each but the first. */
export const DISCORD_RESULTS = ['linked', 'failed', 'taken'] as const
export type DiscordResult = (typeof DISCORD_RESULTS)[number]

/** A server that would be deleted with the account. */
export const LeftServer = z.object({ id: Id, name: z.string(), isRunning: z.boolean(), expiresAt: Instant })

/** The control plane's part of an account's deletion state. */
export const DepartureFigures = z.object({
  balanceFt: AmountFt,
  /** Unpaid charge-backs. A control plane of the previous release does not send them. */
  debtFt: AmountFt.default(0),
  openOrders: z.int(),
  openPayments: z.int(),
  servers: z.array(LeftServer),
})
export type DepartureFigures = z.infer<typeof DepartureFigures>

/** The obstacles of a deletion, and its consequences. */
export const DepartureState = DepartureFigures.extend({ isLastAdministrator: z.boolean() })
export type DepartureState = z.infer<typeof DepartureState>

/** `waiveBalanceFt` is the amount that the person saw: a balance that has grown since is not forfeited. */
export const DeletionRequest = ProofRequest.extend({
  waiveBalanceFt: SeenFt.optional(),
  giveUpServers: z.boolean().optional(),
})
export type DeletionRequest = z.infer<typeof DeletionRequest>
export const DeletionAnswer = z.object({ eraseAt: Instant })

/** The token of the mail's link, or the challenge in the response to a sign-in. */
export const DeletionUndo = z.object({
  token: z.string().max(200).optional(),
  challenge: ChallengeToken.optional(),
})
export type DeletionUndo = z.infer<typeof DeletionUndo>

/** A page of the person's rows in one table; `next` is the offset of the next one. */
export const ExportPage = z.object({
  rows: z.array(z.record(z.string(), z.unknown())),
  next: z.int().nullable(),
})
export type ExportPage = z.infer<typeof ExportPage>
