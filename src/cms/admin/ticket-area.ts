/** Collections for support: only the ticket system (specification section 6). */
const TICKET_COLLECTIONS = ['ticket-categories']

/** The start page of the ticket system in the admin. */
export const TICKETS_PATH = '/admin/collections/ticket-categories'

/** Whether a collection or global belongs to the ticket system. */
export const isOfTickets = (slug: string): boolean => TICKET_COLLECTIONS.includes(slug)

/**
 * Whether a page of the admin, by its path segments, is open to support: the ticket system, the own account, and pages
 * that only redirect.
 */
export const isForSupport = (segments: readonly string[]): boolean => {
  const [first, second] = segments
  if (first === 'collections') return second !== undefined && isOfTickets(second)
  return first !== undefined && first !== 'globals' && first !== 'money'
}
