/** The addresses of a reader's tickets. */
export const TICKET_LINKS = {
  list: '/dashboard/tickets',
  opening: '/dashboard/ticket',
  /** A new ticket that goes on with a closed one. */
  following: (id: string) => `/dashboard/ticket?follows=${encodeURIComponent(id)}`,
  one: (id: string) => `/dashboard/ticket/${encodeURIComponent(id)}`,
} as const
