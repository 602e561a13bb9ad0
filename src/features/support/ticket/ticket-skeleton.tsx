'use client'
import { useTranslations } from 'next-intl'
import { Skeleton } from '@/ui/surfaces/states.tsx'

const LINES = 3

/** The lines of a ticket while they load. */
export const TicketSkeleton = () => {
  const t = useTranslations('common')
  return (
    <div className="tk-two">
      <div role="status" className="tk-wait">
        <span className="vh">{t('loading')}</span>
        {Array.from({ length: LINES }, (_, line) => (
          <div key={line} className="tk-wait__line" aria-hidden="true">
            <Skeleton width="32px" height={32} />
            <div>
              <Skeleton width="28%" height={14} />
              <Skeleton width={line % 2 === 0 ? '84%' : '62%'} />
              <Skeleton width="46%" />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
