'use client'
import { useTranslations } from 'next-intl'
import { Skeleton } from '@/ui/surfaces/states.tsx'

const ROWS = 8

/** Rows of the height of entries while they load. */
export const ActivitySkeleton = () => {
  const t = useTranslations('common')
  return (
    <div role="status" className="act-day">
      <span className="vh">{t('loading')}</span>
      <div className="act-heading" aria-hidden="true">
        <Skeleton width="220px" height={14} className="my-[5px]" />
      </div>
      {Array.from({ length: ROWS }, (_, row) => (
        <div key={row} className="act-row" aria-hidden="true">
          <Skeleton width="32px" height={32} />
          <div className="act-wait">
            <Skeleton width={row % 2 === 0 ? '60%' : '44%'} height={14} />
            <Skeleton width={row % 3 === 0 ? '30%' : '52%'} height={12} />
            <Skeleton width="18%" height={12} />
          </div>
        </div>
      ))}
    </div>
  )
}
