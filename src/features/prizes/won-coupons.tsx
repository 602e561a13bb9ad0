'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { WheelView } from '#contracts/http/spin.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Panel } from '@/ui/surfaces/panel.tsx'

/** Won coupons, with their expiry. */
export const WonCoupons = ({ view }: { view: WheelView }) => {
  const t = useTranslations('spin')
  const locale = useLocale()
  const timeZone = useTimeZone()
  if (view.coupons.length === 0) return null
  return (
    <Panel title={t('coupons.title')}>
      <ul className="losses">
        {view.coupons.map((coupon) => (
          <li key={coupon.code}>
            <code className="mono select-all">{coupon.code}</code>
            <span className="t2">
              {coupon.isServer
                ? t('coupons.server', { name: view.serverPackage ?? '' })
                : t('coupons.percent', { percent: coupon.percent })}{' '}
              {coupon.used
                ? t('coupons.used')
                : t('coupons.until', { date: formatDate(coupon.validUntil, locale, { style: 'date', timeZone }) })}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
