'use client'
import { useTranslations } from 'next-intl'
import { useIsOff } from '@/lib/queries/use-switches.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'

/** The reader's tickets. If staff have switched tickets off, that is shown first. */
export const TicketsPage = () => {
  const t = useTranslations('tickets')
  const tw = useTranslations('switches')
  const isOff = useIsOff('tickets')
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      {isOff ? (
        <Notice tone="wait" role="status">
          {tw('tickets')}
        </Notice>
      ) : (
        <EmptyState picture={<Drawing group="empty" name="tickets" width={320} />}>{t('empty')}</EmptyState>
      )}
    </div>
  )
}
