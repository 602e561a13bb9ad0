import { askControlPlane } from '../ask-control-plane.ts'
import { nextLink } from '../next-link.ts'
import type { ApiArea } from '../api-call.ts'

/** Lists of tickets. */
export const ticketsArea = {
  'GET /api/ticket/all': async (call) => {
    const tickets = await askControlPlane('tickets', call.query, call)
    return { body: tickets, headers: nextLink('/api/ticket/all', call.query, tickets) }
  },
  'GET /api/ticket/queue': async (call) => {
    const tickets = await askControlPlane('ticket-queue', call.query, call)
    return { body: tickets, headers: nextLink('/api/ticket/queue', call.query, tickets) }
  },
} satisfies ApiArea
