'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { ModificationQuote } from '#contracts/http/modification.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'

type Props = {
  open: boolean
  serverName: string
  quote: ModificationQuote
  isBusy: boolean
  onClose: () => void
  onConfirm: () => void
}

/** The change in one sentence, and the button that applies it. */
export const ModificationDialog = ({ open, serverName, quote, isBusy, onClose, onConfirm }: Props) => {
  const t = useTranslations('serverSettings.modification')
  const tc = useTranslations('common')
  const locale = useLocale()
  const monthly = formatMoney(quote.newMonthlyFt, locale)
  const isSmaller = quote.newMonthlyFt < quote.monthlyFt
  const sentence =
    quote.chargeFt > 0
      ? t('confirmPay', { price: formatMoney(quote.chargeFt, locale), monthly })
      : quote.backFt > 0
        ? t('confirmBack', { price: formatMoney(quote.backFt, locale), monthly })
        : t('confirmFree', { monthly })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('confirmTitle', { name: serverName })}
      closeLabel={tc('close')}
      actions={
        <>
          <Button aria-disabled={isBusy || undefined} onClick={isBusy ? undefined : onClose}>
            {tc('cancel')}
          </Button>
          <Button look="primary" busy={isBusy} onClick={onConfirm}>
            {t('confirm')}
          </Button>
        </>
      }
    >
      <p className="mb-3">{sentence}</p>
      {isSmaller ? (
        <p className="mb-3">
          {t('smallerNote')} {t('backNote')}
        </p>
      ) : null}
      <p className="t2">{t('restart')}</p>
    </Dialog>
  )
}
