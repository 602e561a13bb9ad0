import { isBuilt } from '#contracts/features.ts'

/** Collections for support: only the ticket system (specification section 6). */
const TICKET_COLLECTIONS = ['ticket-categories', 'canned-replies']

/** The categories of tickets in the admin. */
export const TICKET_CATEGORIES_PATH = '/admin/categories'

/** The forms of the categories, each below this address by its id. */
export const CATEGORY_FORMS_PATH = '/admin/collections/ticket-categories'

/** The replies that staff insert into tickets. */
export const CANNED_REPLIES_PATH = '/admin/collections/canned-replies'

/** The queue of tickets in the admin. */
export const TICKETS_PATH = '/admin/tickets'

/** The figures of the tickets, beside their queue. */
export const FIGURES_PATH = '/admin/tickets/figures'

/** The page of one ticket in the admin. */
export const ticketPath = (id: string): `/admin/ticket/${string}` => `/admin/ticket/${id}`

/** Pages that any member of staff opens: the own account, and those that only redirect. */
const FOR_STAFF = new Set([
  'account',
  'login',
  'logout',
  'logout-inactivity',
  'unauthorized',
  'forgot',
  'create-first-user',
])

/** Whether a collection or global belongs to the ticket system. */
export const isOfTickets = (slug: string): boolean => TICKET_COLLECTIONS.includes(slug)

/** Whether a page of the admin, by its path segments, is open to support. */
export const isForSupport = (segments: readonly string[]): boolean => {
  const [first, second] = segments
  if (isBuilt('tickets') && (first === 'tickets' || first === 'ticket' || first === 'categories')) return true
  if (first === 'collections') return second !== undefined && isOfTickets(second)
  return first !== undefined && FOR_STAFF.has(first)
}
