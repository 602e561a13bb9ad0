'use client'
import { useTranslations } from 'next-intl'
import { useIsOff } from '@/lib/api-client/use-switches.ts'
import { Notice } from '@/ui/notice.tsx'

/** Said before anybody chooses something, where staff have switched ordering off. Renewals are no orders. */
export const OrderingClosed = () => {
  const t = useTranslations('services')
  const tw = useTranslations('switches')
  if (!useIsOff('ordering')) return null
  return (
    <Notice tone="wait" role="status" className="my-3">
      {tw('ordering')} {t('renewalsGoOn')}
    </Notice>
  )
}
