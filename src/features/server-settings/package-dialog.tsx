'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { PackageOffer, ServerPackages } from '#contracts/http/package-change.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { memoryText } from '@/lib/format/size.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'
import type { MoneyRow } from '@/ui/surfaces/money-line.tsx'

type SumProps = { offer: PackageOffer; packages: ServerPackages }

/** Both prices, the charge of today, and the balance afterwards. */
const Sum = ({ offer, packages }: SumProps) => {
  const t = useTranslations('serverSettings.package')
  const locale = useLocale()
  const money = (amountFt: number) => formatMoney(amountFt, locale)
  const rows: MoneyRow[] = [
    { id: 'now', term: t('renewalNow', { name: packages.present.name }), amount: money(packages.present.renewalFt) },
    { id: 'new', term: t('renewalNew', { name: offer.name }), amount: money(offer.renewalFt) },
    {
      id: 'total',
      term: (
        <>
          {t('charge')}
          {offer.at === 'once' ? <small className="t2"> · {t('left', { count: packages.days })}</small> : null}
        </>
      ),
      amount: money(offer.chargeFt),
      kind: 'total',
    },
    { id: 'after', term: t('balanceAfter'), amount: money(packages.balanceFt - offer.chargeFt) },
  ]
  return <MoneyLine rows={rows} />
}

/** When the new size applies, and what that means for the server. */
const Consequences = ({ offer, packages }: SumProps) => {
  const t = useTranslations('serverSettings.package')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const date = formatDate(packages.expiry, locale, { style: 'date', timeZone })
  const { storageMiB } = offer.resources
  const isTighter = storageMiB < packages.present.resources.storageMiB
  return (
    <>
      <p className="my-3">{offer.at === 'once' ? t('fromNow', { date }) : t('fromRenewal', { date })}</p>
      {isTighter ? <p className="my-3">{t('tighter', { storage: memoryText(storageMiB, locale) })}</p> : null}
      {offer.at === 'once' && packages.planned ? <p className="my-3">{t('dropsPlan')}</p> : null}
      <p className="t2">{t('restart')}</p>
    </>
  )
}

type Props = {
  offer: PackageOffer | null
  packages: ServerPackages
  serverName: string
  isBusy: boolean
  onClose: () => void
  onConfirm: (offer: PackageOffer) => void
}

/** The change with its price and its day, and the button that makes it. */
export const PackageDialog = ({ offer, packages, serverName, isBusy, onClose, onConfirm }: Props) => {
  const t = useTranslations('serverSettings.package')
  const tc = useTranslations('common')
  const locale = useLocale()
  const confirm =
    offer?.at === 'once' ? t('confirmPay', { price: formatMoney(offer.chargeFt, locale) }) : t('confirmPlan')
  return (
    <Dialog
      open={offer !== null}
      onClose={onClose}
      title={t('confirmTitle', { server: serverName, name: offer?.name ?? '' })}
      closeLabel={tc('close')}
      actions={
        <>
          <Button aria-disabled={isBusy || undefined} onClick={isBusy ? undefined : onClose}>
            {tc('cancel')}
          </Button>
          <Button look="primary" busy={isBusy} onClick={() => offer && onConfirm(offer)}>
            {confirm}
          </Button>
        </>
      }
    >
      {offer ? (
        <>
          <Sum offer={offer} packages={packages} />
          <Consequences offer={offer} packages={packages} />
        </>
      ) : null}
    </Dialog>
  )
}
