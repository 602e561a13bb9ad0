'use client'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { TICKET_RATINGS } from '#contracts/http/ticket.ts'
import type { TicketView } from '#contracts/http/ticket.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Chip } from '@/ui/controls/chip.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { useTicketChange } from './change-ticket.tsx'

const ICONS = { good: ThumbsUp, bad: ThumbsDown } as const

/** The rating by the opener of a closed ticket: one press, and one change of mind. */
export const Rating = ({ view }: { view: TicketView }) => {
  const t = useTranslations('tickets.rating')
  const failureText = useFailureText()
  const change = useTicketChange(view.ticket.id)
  return (
    <section className="tk-rating" aria-labelledby="tk-rating">
      <h2 id="tk-rating">{t('title')}</h2>
      <div className="tk-rating__choices" role="group" aria-labelledby="tk-rating">
        {TICKET_RATINGS.map((rating) => {
          const Drawn = ICONS[rating]
          return (
            <Chip
              key={rating}
              pressed={view.rating === rating}
              aria-disabled={change.isPending || undefined}
              onClick={() =>
                change.isPending || view.rating === rating ? undefined : change.mutate({ act: 'rating', rating })
              }
            >
              <Drawn className="i i-s" aria-hidden />
              {t(rating)}
            </Chip>
          )
        })}
      </div>
      <p className="small t2" role="status">
        {view.rating === null ? null : t('thanks')}
      </p>
      {change.error === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(change.error)}
        </Notice>
      )}
    </section>
  )
}
