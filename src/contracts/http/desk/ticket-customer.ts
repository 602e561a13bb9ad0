import * as z from 'zod'
import { SERVER_WORDS } from '#domain/servers/status.ts'
import { SERVER_TROUBLES } from '#domain/servers/server-trouble.ts'
import { LOCALES } from '../../locale.ts'
import { AmountFt, Id, Identifier, Instant } from '../../primitives.ts'

/** How many servers of a customer stand beside their ticket, the newest first. */
export const CUSTOMER_SERVERS = 20

/**
 * The facts about a ticket's opener that staff read beside the ticket, and all that support reads of them (decision
 * 92). Amounts are forints: what can be spent, what is reserved, what is owed. `reason` names a known error in the
 * reader's language.
 */
export const TicketCustomer = z.object({
  /** The customer's language, and the category's name in it: for texts that are written to them. */
  language: z.enum(LOCALES),
  category: z.string(),
  balance: z.object({ availableFt: AmountFt, heldFt: AmountFt, debtFt: AmountFt }),
  servers: z.array(
    z.object({
      id: Id,
      identifier: Identifier,
      name: z.string(),
      status: z.enum(SERVER_WORDS),
      expiry: Instant,
      troubles: z.array(z.object({ type: z.enum(SERVER_TROUBLES), at: Instant, reason: z.string().nullable() })),
    }),
  ),
  hasMoreServers: z.boolean(),
  /** Whether they had the one test server of their mailbox. */
  hadTestServer: z.boolean(),
})
export type TicketCustomer = z.infer<typeof TicketCustomer>
export type CustomerServer = TicketCustomer['servers'][number]
