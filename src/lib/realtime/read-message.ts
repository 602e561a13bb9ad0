import * as z from 'zod'
import { BALANCE_CHANGE_TYPES, GatewayMessage } from '#contracts/gateway/events.ts'

const AnyBalanceChange = z.object({
  event: z.literal('balance.change'),
  data: z.looseObject({ type: z.string() }).catch({ type: '' }),
})

/**
 * Parses a message of the gateway. Types of balance changes are case-insensitive (specification section 4); an unknown
 * one, of a newer release, only causes a refetch. Unknown events are ignored.
 */
export const readMessage = (sent: unknown): GatewayMessage | undefined => {
  const parsed = GatewayMessage.safeParse(sent)
  if (parsed.success) return parsed.data
  const change = AnyBalanceChange.safeParse(sent)
  if (!change.success) return undefined
  const type = BALANCE_CHANGE_TYPES.find((known) => known === change.data.data.type.toLowerCase())
  const known = GatewayMessage.safeParse({ ...change.data, data: { ...change.data.data, type } })
  return known.success ? known.data : { event: 'resync', data: {} }
}
