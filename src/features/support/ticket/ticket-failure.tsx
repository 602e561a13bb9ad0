'use client'
import { useTranslations } from 'next-intl'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { TICKET_LINKS } from '../ticket-links.ts'

/** The way on from a ticket that is closed for too long: a new one that links to it, for whoever opened it. */
export const ContinueLink = ({ ticketId }: { ticketId: string }) => {
  const t = useTranslations('tickets')
  return (
    <PageLink className={buttonClass({ size: 's' })} href={TICKET_LINKS.following(ticketId)}>
      {t('continue')}
    </PageLink>
  )
}

type FailureProps = { failure: unknown; ticketId: string; isOpener: boolean; className?: string }

/** Why something could not be done with a ticket, and what can be done instead. */
export const TicketFailure = ({ failure, ticketId, isOpener, className = '' }: FailureProps) => {
  const failureText = useFailureText()
  const isTooOld = failure instanceof ApiFailure && failure.code === 'TICKET_TOO_OLD'
  return (
    <Notice
      tone="stop"
      role="alert"
      className={className}
      action={isTooOld && isOpener ? <ContinueLink ticketId={ticketId} /> : undefined}
    >
      {failureText(failure)}
    </Notice>
  )
}
