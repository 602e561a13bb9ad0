const BALANCE_PAGE = '/dashboard/balance/summary'
const PREMIUM_PAGE = '/dashboard/premium'

/**
 * The page that a notification leads to; null where there is nothing to see any more. Installed and purchase lead to the
 * console, what else happened to a server only while it is in the person's list (specification section 8).
 */
export const noticePath = ({
  text,
  sid,
  isListed,
}: {
  text: string
  sid: string | undefined
  isListed: boolean
}): string | null => {
  const isOfBalance = text === 'order.failed' || text === 'withdrawal.confirmed' || text === 'server.refunded'
  if (/^(?:topup|balance|refund|payment)\./.test(text) || isOfBalance) return BALANCE_PAGE
  if (text.startsWith('premium.')) return PREMIUM_PAGE
  // There it is renewed, and its folder downloaded once it has expired.
  if (text === 'server.expiring' || text === 'server.expired' || text === 'renewal.missing') {
    return sid !== undefined && isListed ? `/panel/${sid}/settings` : null
  }
  const isAlwaysThere = text === 'server.installed' || text === 'purchase.success'
  return sid !== undefined && (isAlwaysThere || isListed) ? `/panel/${sid}/console` : null
}

/** What stands for the name of a server that is not known any more (specification section 9). */
export const UNKNOWN_NAME = 'UNKNOWN'
