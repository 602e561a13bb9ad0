'use client'
import { useTranslations } from 'next-intl'
import { useTicketSigns } from '@/lib/realtime/use-ticket-signs.ts'

/** The others who write a message right now. Its place stays when nobody does, so that nothing moves. */
export const WritingLine = ({ ticketId }: { ticketId: string }) => {
  const t = useTranslations('tickets')
  const writing = useTicketSigns(ticketId).filter(({ sign }) => sign === 'writing')
  const [first] = writing
  return (
    <p className="tk-writing small t2" role="status">
      {first === undefined
        ? null
        : writing.length > 1
          ? t('writingNow.several')
          : first.by === null
            ? t('writingNow.support')
            : t('writingNow.person', { who: first.by.username || t('erased') })}
    </p>
  )
}
