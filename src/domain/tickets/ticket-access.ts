/**
 * The person who asks about a ticket. `categoryIds` are those of the usable support roles; administrators need none.
 */
export type TicketViewer = {
  readonly userId: string
  readonly isAdmin: boolean
  readonly isSupport: boolean
  readonly categoryIds: readonly string[]
}

/** The people and the category of a ticket. */
export type TicketPeople = {
  readonly openerId: string
  readonly addedIds: readonly string[]
  readonly categoryId: string
}

/** As what somebody sees a ticket. */
export type TicketStanding = 'opener' | 'added' | 'staff'

/** Whether somebody works on the tickets of a category: every administrator, and support whose role has it. */
export const worksOn = ({ isAdmin, isSupport, categoryIds }: TicketViewer, categoryId: string): boolean =>
  isAdmin || (isSupport && categoryIds.includes(categoryId))

/**
 * As what somebody sees a ticket; null when they may not know that it exists (clarifications part 6). Staff who opened a ticket
 * are its customers: they read no notes about themselves.
 */
export const standingOf = (viewer: TicketViewer, ticket: TicketPeople): TicketStanding | null => {
  if (viewer.userId === ticket.openerId) return 'opener'
  if (worksOn(viewer, ticket.categoryId)) return 'staff'
  return ticket.addedIds.includes(viewer.userId) ? 'added' : null
}

/** The acts on a ticket that somebody sees. */
export const TICKET_RIGHTS = ['read', 'message', 'close', 'reopen', 'rate', 'note', 'manage', 'delete'] as const
export type TicketRight = (typeof TICKET_RIGHTS)[number]

const RIGHTS: Readonly<Record<TicketStanding, readonly TicketRight[]>> = {
  opener: ['read', 'message', 'close', 'reopen', 'rate'],
  added: ['read', 'message'],
  staff: ['read', 'message', 'close', 'reopen', 'note', 'manage'],
}

/** The rights that a ticket keeps once it was merged into another one. */
const AFTER_MERGE: readonly TicketRight[] = ['read', 'delete']

/** Whether this is done with a merged ticket itself: it is read, and deleted, and everything else belongs to the ticket that it was merged into (decision 95). */
export const isDoneMerged = (right: TicketRight): boolean => AFTER_MERGE.includes(right)

/** Whether somebody with this standing may do this; only administrators delete. */
export const mayDo = (standing: TicketStanding, right: TicketRight, { isAdmin }: { isAdmin: boolean }): boolean =>
  RIGHTS[standing].includes(right) || (right === 'delete' && standing === 'staff' && isAdmin)

/** Whether a member of staff reads and serves this person from a ticket: support serves customers, and not other staff (security.md 3.2). */
export const mayServe = (
  { isAdmin }: { isAdmin: boolean },
  person: { isAdmin: boolean; isSupport: boolean },
): boolean => isAdmin || !(person.isAdmin || person.isSupport)

/** Whether somebody is asked to rate a closed ticket: its opener, and once. */
export const isAskedToRate = (
  userId: string,
  { openerId, rating }: { readonly openerId: string; readonly rating: string | null },
): boolean => userId === openerId && rating === null

/** Whether somebody with this standing reads what was sent along about a server. Its log may hold more than a share of the server allows an added person to see (decision 94). */
export const readsServerContext = (standing: TicketStanding): boolean => standing !== 'added'
