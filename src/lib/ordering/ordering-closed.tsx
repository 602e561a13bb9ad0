'use client'
import { useTranslations } from 'next-intl'
import { Notice } from '../../ui/surfaces/notice.tsx'

/** Shown before the reader chooses anything while ordering is switched off. Renewals are not orders. */
export const OrderingClosed = ({ isClosed }: { isClosed: boolean }) => {
  const t = useTranslations('services')
  const tw = useTranslations('switches')
  if (!isClosed) return null
  return (
    <Notice tone="wait" role="status" className="my-3">
      {tw('ordering')} {t('renewalsGoOn')}
    </Notice>
  )
}
