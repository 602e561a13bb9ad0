'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ServerPackages } from '#contracts/http/package-change.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { useKeepPackage } from './use-package.ts'

type Props = { serverId: string; planned: NonNullable<ServerPackages['planned']> }

/** The planned package with its day, and its cancellation while no period in it is paid. */
export const PlannedChange = ({ serverId, planned }: Props) => {
  const t = useTranslations('serverSettings.package')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const failureText = useFailureText()
  const keep = useKeepPackage(serverId)
  const { name, monthlyFt, isPaid } = planned
  const date = formatDate(planned.startsAt, locale, { style: 'date', timeZone })
  const cancel = (
    <Button size="s" busy={keep.isPending} onClick={() => keep.mutate()}>
      {t('cancel')}
    </Button>
  )
  return (
    <>
      <Notice tone="wait" action={isPaid ? undefined : cancel}>
        {t(isPaid ? 'isPaid' : 'isPlanned', { date, name, monthly: formatMoney(monthlyFt, locale) })}
      </Notice>
      {keep.error === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(keep.error)}
        </Notice>
      )}
    </>
  )
}
