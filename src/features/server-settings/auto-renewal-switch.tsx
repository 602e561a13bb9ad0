'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useId } from 'react'
import type { RenewalQuote } from '#contracts/http/renewal.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Switch } from '@/ui/controls/choice.tsx'
import { useShownAtOnce } from '@/ui/controls/use-shown-at-once.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { useAutoRenewal } from './use-renewal.ts'

/** Opt-in: date and price of the charge are shown beside the switch. */
export const AutoRenewalSwitch = ({ serverId, quote }: { serverId: string; quote: RenewalQuote }) => {
  const t = useTranslations('serverSettings.autoRenewal')
  const locale = useLocale()
  const failureText = useFailureText()
  const change = useAutoRenewal(serverId)
  const help = useId()
  const [isOn, show] = useShownAtOnce(change.isPending ? change.variables : quote.autoRenewal)
  const turn = (enabled: boolean) => {
    if (change.isPending) return
    show(enabled)
    change.mutate(enabled)
  }
  return (
    <div className="renewal-auto">
      <Switch
        checked={isOn}
        aria-describedby={help}
        aria-disabled={change.isPending || undefined}
        onChange={(event) => turn(event.currentTarget.checked)}
      >
        {t('title')}
      </Switch>
      <p className="help" id={help}>
        {t('help', { price: formatMoney(quote.monthlyFt, locale) })}
      </p>
      {change.isError ? (
        <Notice tone="stop" role="alert">
          {failureText(change.error)}
        </Notice>
      ) : null}
    </div>
  )
}
