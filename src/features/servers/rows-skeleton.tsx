'use client'
import { useTranslations } from 'next-intl'
import { Skeleton } from '@/ui/surfaces/states.tsx'

/** Rows of servers in their final heights. */
export const RowsSkeleton = ({ rows = 4 }: { rows?: number }) => {
  const t = useTranslations('common')
  return (
    <div role="status">
      <span className="vh">{t('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="row-skel">
          <Skeleton width="44px" height={32} />
          <span className="grow">
            <Skeleton width={row % 2 === 0 ? '34%' : '24%'} />
            <Skeleton width={row % 2 === 0 ? '46%' : '38%'} className="mt-2" />
          </span>
          <Skeleton width="88px" />
        </div>
      ))}
    </div>
  )
}
