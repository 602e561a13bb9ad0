const BALANCE_PAGE = '/dashboard/balance/summary'
const PREMIUM_PAGE = '/dashboard/premium'
const SECURITY_LOG = '/dashboard/activities'
/** Its invitations are above the list. */
const SERVERS_PAGE = '/dashboard/servers'

/** The tickets that wait for staff. */
const QUEUE_PAGE = '/admin/tickets'

/** The notices to staff about the tickets that they work on. */
export const NOTICES_OF_STAFF: readonly string[] = [
  'ticket.customer-reply',
  'ticket.assigned',
  'ticket.opened',
  'ticket.taken',
  'ticket.moved',
  'ticket.merged-away',
]
/** Staff hear of their customers and answer in the admin; everybody else reads a ticket as its customer. */
const ticketPath = (
  text: string,
  { ticketId, count = 1 }: { ticketId?: string | undefined; count?: number | undefined },
): string | null => {
  if (text === 'ticket.opened' && count > 1) return QUEUE_PAGE
  if (ticketId === undefined) return null
  return NOTICES_OF_STAFF.includes(text) ? `/admin/ticket/${ticketId}` : `/dashboard/ticket/${ticketId}`
}

/**
 * The page behind a notification; null if there is nothing left to see. Installed and purchase lead to the console,
 * other events of a server only while it is in the person's list (specification section 8).
 */
export const noticePath = ({
  text,
  sid,
  isListed,
  ticketId,
  count,
}: {
  text: string
  sid?: string | undefined
  isListed: boolean
  ticketId?: string | undefined
  count?: number | undefined
}): string | null => {
  if (text.startsWith('ticket.')) return ticketPath(text, { ticketId, count })
  const isOfBalance = text === 'order.failed' || text === 'withdrawal.confirmed' || text === 'server.refunded'
  if (/^(?:topup|balance|refund|payment)\./.test(text) || isOfBalance) return BALANCE_PAGE
  if (text.startsWith('premium.')) return PREMIUM_PAGE
  if (text.startsWith('security.')) return SECURITY_LOG
  if (text === 'server.invited') return SERVERS_PAGE
  if (text === 'server.joined' || text === 'server.declined') {
    return sid !== undefined && isListed ? `/panel/${sid}/users` : null
  }
  if (text === 'server.storage-filling') return sid !== undefined && isListed ? `/panel/${sid}/files` : null
  // The page with its renewal, and with the archive once it has expired.
  if (text === 'server.expiring' || text === 'server.expired' || text === 'renewal.missing') {
    return sid !== undefined && isListed ? `/panel/${sid}/settings` : null
  }
  const isAlwaysThere = text === 'server.installed' || text === 'purchase.success'
  return sid !== undefined && (isAlwaysThere || isListed) ? `/panel/${sid}/console` : null
}

/** The name of a server that is no longer known (specification section 9). */
export const UNKNOWN_NAME = 'UNKNOWN'
