'use client'
import { useTranslations } from 'next-intl'
import { Notice } from '../../ui/surfaces/notice.tsx'

/** Said before anybody chooses something, where staff have switched ordering off. Renewals are no orders. */
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
