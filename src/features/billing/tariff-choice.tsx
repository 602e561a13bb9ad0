'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { PaymentTariff } from '#contracts/http/payment.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Radio } from '@/ui/controls/choice.tsx'

/** A unique key for one tariff. */
export const tariffKey = ({ kind, paidFt }: PaymentTariff): string => `${kind}:${paidFt}`

type TariffChoiceProps = {
  tariffs: readonly PaymentTariff[]
  chosen: PaymentTariff | undefined
  onChoose: (tariff: PaymentTariff) => void
}

/** The phone tariffs: paid and credited amounts are shown before anything is sent. */
export const TariffChoice = ({ tariffs, chosen, onChoose }: TariffChoiceProps) => {
  const t = useTranslations('balance.phone')
  const locale = useLocale()
  return (
    <fieldset>
      <legend className="label mb-2">{t('choose')}</legend>
      <ul className="meth">
        {tariffs.map((tariff) => (
          <li key={tariffKey(tariff)}>
            <Radio
              name="tariff"
              value={tariffKey(tariff)}
              checked={chosen !== undefined && tariffKey(chosen) === tariffKey(tariff)}
              onChange={() => onChoose(tariff)}
            >
              <b>{t('pays', { paid: formatMoney(tariff.paidFt, locale) })}</b>
              <small>
                {t(tariff.kind === 'premium-call' ? 'byCall' : 'byMessage')}{' '}
                {t('arrives', { credited: formatMoney(tariff.creditedFt, locale) })}
              </small>
            </Radio>
          </li>
        ))}
      </ul>
      <p className="t2">{t('why')}</p>
    </fieldset>
  )
}
