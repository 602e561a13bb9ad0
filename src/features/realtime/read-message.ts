import * as z from 'zod'
import { BALANCE_CHANGE_TYPES, GatewayMessage } from '#contracts/gateway/events.ts'

const AnyBalanceChange = z.object({
  event: z.literal('balance.change'),
  data: z.looseObject({ type: z.string() }).catch({ type: '' }),
})

/**
 * A message of the gateway. Types of balance changes are read without regard to case (specification section 4); one that is not known,
 * of a newer release, changes nothing by itself: the page reads again. Events that are not known are left alone.
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
