import { GATEWAY_TICKET_SECONDS } from '#contracts/http/auth.ts'
import { mintGatewayTicket } from '@/identity/keys/access-tokens.ts'
import { identity } from '@/identity/dependencies.ts'
import { apiHandler } from '@/lib/api-handler.ts'

export const GET = apiHandler('GET /api/auth/gateway-ticket', async ({ subject }) => {
  const { clock, ids, keys } = identity()
  const ticket = await mintGatewayTicket({ subject, nowMs: clock.now(), ids, key: await keys.signing() })
  return { body: { ticket, expires_in: GATEWAY_TICKET_SECONDS } }
})
