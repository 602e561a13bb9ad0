'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { PremiumAnswer } from '#contracts/http/premium.ts'
import type { PremiumOffer, PremiumRequest } from '#contracts/http/premium.ts'
import { suggestedTopUpFt } from '#domain/payments/top-up.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button, buttonClass } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { prizeKeys } from './prize-queries.ts'
import { usePurchase } from './use-purchase.ts'

type Props = { offer: PremiumOffer | null; balanceFt: number; onClose: () => void }

/** The price and the remaining balance, or the missing amount. */
const Bill = ({ offer, balanceFt }: { offer: PremiumOffer; balanceFt: number }) => {
  const t = useTranslations('premium')
  const tr = useTranslations('refusals')
  const locale = useLocale()
  const { days, priceFt } = offer
  const afterFt = balanceFt - priceFt
  return (
    <>
      <p className="mb-3">{t('dialogText', { days })}</p>
      <MoneyLine
        rows={[
          { id: 'balance', term: t('balance'), amount: formatMoney(balanceFt, locale) },
          { id: 'price', term: t('price', { days }), amount: formatMoney(-priceFt, locale) },
          { id: 'after', term: t('after'), amount: afterFt < 0 ? '–' : formatMoney(afterFt, locale), kind: 'total' },
        ]}
      />
      {afterFt < 0 ? (
        <Notice
          tone="wait"
          role="status"
          className="my-3"
          action={
            <PageLink
              className={buttonClass({ look: 'primary', size: 's' })}
              href={`/dashboard/balance/summary?amount=${suggestedTopUpFt(-afterFt)}`}
            >
              {t('topUp')}
            </PageLink>
          }
        >
          {tr('notEnoughBalance')}
        </Notice>
      ) : null}
    </>
  )
}

/** The purchase in numbers, and the one pay button. */
export const PremiumDialog = ({ offer, balanceFt, onClose }: Props) => {
  const t = useTranslations('premium')
  const tc = useTranslations('common')
  const locale = useLocale()
  const failureText = useFailureText()
  const client = useQueryClient()
  const purchase = usePurchase<PremiumRequest, typeof PremiumAnswer>({
    path: '/api/premium',
    schema: PremiumAnswer,
    onDone: () => {
      void client.invalidateQueries({ queryKey: prizeKeys.wheel })
      onClose()
    },
  })
  const isBusy = purchase.isPending
  const close = () => {
    // A running purchase continues without the dialog: the page reports its result.
    if (!isBusy) purchase.reset()
    onClose()
  }
  const tier = offer?.tier
  const afterFt = balanceFt - (offer?.priceFt ?? 0)
  const pay = () => {
    if (offer && tier && tier !== 'none' && afterFt >= 0) purchase.mutate({ tier, expectedPriceFt: offer.priceFt })
  }
  const failure =
    purchase.error === null ? null : (
      <Notice tone="stop" role="alert" className="my-3">
        {failureText(purchase.error)}
      </Notice>
    )
  const dialog = (
    <Dialog
      open={offer !== null}
      onClose={close}
      title={t('dialogTitle', { tier: tier ? t(`tiers.${tier}`) : '' })}
      closeLabel={tc('close')}
      actions={
        <>
          <Button aria-disabled={isBusy || undefined} onClick={isBusy ? undefined : close}>
            {tc('cancel')}
          </Button>
          <Button look="primary" busy={isBusy} aria-disabled={afterFt < 0 || undefined} onClick={pay}>
            {t('pay', { price: formatMoney(offer?.priceFt ?? 0, locale) })}
          </Button>
        </>
      }
    >
      {offer ? <Bill offer={offer} balanceFt={balanceFt} /> : null}
      {failure}
    </Dialog>
  )
  return (
    <>
      {offer === null ? failure : null}
      {dialog}
    </>
  )
}
