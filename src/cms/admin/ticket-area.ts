/** Collections that support handles: the ticket system, and nothing beside it (specification section 6). */
const TICKET_COLLECTIONS = ['ticket-categories']

/** Where the ticket system begins in the admin. */
export const TICKETS_PATH = '/admin/collections/ticket-categories'

/** Whether a collection or global belongs to the ticket system. */
export const isOfTickets = (slug: string): boolean => TICKET_COLLECTIONS.includes(slug)

/**
 * Whether a page of the admin, by the parts of its path, is open to support: the ticket system, the own account, and the pages
 * that only lead elsewhere.
 */
export const isForSupport = (segments: readonly string[]): boolean => {
  const [first, second] = segments
  if (first === 'collections') return second !== undefined && isOfTickets(second)
  return first !== undefined && first !== 'globals' && first !== 'money'
}
