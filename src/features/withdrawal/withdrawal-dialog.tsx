'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { WithdrawalOffer } from '#contracts/http/withdrawal.ts'
import { ApiFailure, isUnknown } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'
import type { MoneyRow } from '@/ui/surfaces/money-line.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'

/** Why the refund is less than the payment. */
const keptRows = ({ keptFt, keptSpinsFt, keptDiscountsFt }: WithdrawalOffer) =>
  [
    { id: 'kept', amountFt: keptFt - keptSpinsFt - keptDiscountsFt } as const,
    { id: 'keptSpins', amountFt: keptSpinsFt } as const,
    { id: 'keptDiscounts', amountFt: keptDiscountsFt } as const,
  ].filter(({ amountFt }) => amountFt > 0)

/** The refund, and the payment. */
const Sum = ({ offer }: { offer: WithdrawalOffer }) => {
  const t = useTranslations('withdrawal')
  const locale = useLocale()
  const money = (amount: number) => formatMoney(amount, locale)
  const rows: MoneyRow[] = [
    { id: 'paid', term: t('paid'), amount: money(offer.paidFt) },
    ...keptRows(offer).map(({ id, amountFt }) => ({ id, term: t(id), amount: money(-amountFt) })),
    { id: 'back', term: t('back'), amount: money(offer.backFt), kind: 'total' },
    ...(offer.bonusFt > 0 ? [{ id: 'bonus', term: t('bonus'), amount: money(offer.bonusFt) }] : []),
  ]
  return (
    <>
      <MoneyLine rows={rows} />
      <p className="help my-3">
        {offer.keptFt === 0 ? `${t('whole')} ` : null}
        {offer.keptDiscountsFt > 0 ? `${t('discounts')} ` : null}
        {t('toBuckets')}
      </p>
    </>
  )
}

/** The consequences for the server or the tier. */
const Fate = ({ offer }: { offer: WithdrawalOffer }) => {
  const t = useTranslations('withdrawal')
  const locale = useLocale()
  const timeZone = useTimeZone()
  if (offer.kind === 'premium') return <p>{t('premium')}</p>
  const name = offer.serverName ?? offer.product
  const at = offer.endsNow ? (offer.deletionAt ?? offer.endsAt) : offer.endsAt
  const date = formatDate(at, locale, { style: 'dateTime', timeZone })
  return <p>{t(offer.endsNow ? 'serverNow' : 'serverLater', { name, date })}</p>
}

/** Why the confirmation failed, and whether its outcome is known. */
export const WithdrawalFailure = ({ failure }: { failure: unknown }) => {
  const t = useTranslations('withdrawal')
  const failureText = useFailureText()
  const isChanged = failure instanceof ApiFailure && failure.code === 'PRICE_CHANGED'
  const isInstalling = failure instanceof ApiFailure && failure.code === 'INVALID_STATE'
  return (
    <Notice tone="stop" role="alert" className="my-3">
      {isChanged ? t('changed') : isInstalling ? t('installing') : failureText(failure)}{' '}
      {isUnknown(failure) ? t('unknown') : null}
    </Notice>
  )
}

type Props = {
  offer: WithdrawalOffer | null
  isBusy: boolean
  failure: unknown
  onClose: () => void
  onConfirm: () => void
}

/** The second of the two steps: the contract, the refund, the losses, and the statement itself. */
export const WithdrawalDialog = ({ offer, isBusy, failure, onClose, onConfirm }: Props) => {
  const t = useTranslations('withdrawal')
  const tc = useTranslations('common')
  return (
    <Dialog
      open={offer !== null}
      onClose={onClose}
      title={t('dialogTitle')}
      closeLabel={tc('close')}
      actions={
        <>
          <Button aria-disabled={isBusy || undefined} onClick={isBusy ? undefined : onClose}>
            {t('keep')}
          </Button>
          <Button look="danger-solid" busy={isBusy} onClick={onConfirm}>
            {t('confirm')}
          </Button>
        </>
      }
    >
      {offer ? (
        <>
          <p className="mb-3">
            <b>{t(`kinds.${offer.kind}`, { product: offer.product })}</b>
            {offer.serverName === null ? null : `, ${offer.serverName}`}
            <br />
            <small className="t2">
              {t('number')} {offer.documentId}
            </small>
          </p>
          <Sum offer={offer} />
          <Fate offer={offer} />
          <p className="mt-3">
            <b>{t('final')}</b> {t('receipt')}
          </p>
        </>
      ) : null}
      {failure === null ? null : <WithdrawalFailure failure={failure} />}
    </Dialog>
  )
}
