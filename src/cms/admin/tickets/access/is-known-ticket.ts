import type { PayloadRequest } from 'payload'
import { Locale } from '#contracts/locale.ts'
import { ApiError } from '@/lib/site/api-error.ts'
import { controlPlaneAt } from '@/lib/site/control-plane-client.ts'
import { siteSettings } from '@/lib/site/env.ts'
import { grantsOf } from '../../../access/grants.ts'

/**
 * Whether the sender of a request may know of a ticket, so that the page of any other one is answered 404. While the control plane does not answer every
 * ticket is taken for one: the page then says that it could not be read.
 */
export const isKnownTicket = async (req: PayloadRequest, ticketId: string): Promise<boolean> => {
  if (!req.user) return false
  const { controlPlaneUrl: url, internalSecret: secret } = siteSettings()
  const locale = Locale.catch('en').parse(req.i18n.language)
  const caller = {
    userId: String(req.user.id),
    sessionId: null,
    locale,
    address: '',
    isVerified: false,
    ...grantsOf(req),
  }
  try {
    await controlPlaneAt({ url, secret }).call(
      'ticket',
      { caller, ticketId, limit: 1 },
      { requestId: crypto.randomUUID(), locale },
    )
    return true
  } catch (error) {
    return !(error instanceof ApiError && error.code === 'NOT_FOUND')
  }
}
