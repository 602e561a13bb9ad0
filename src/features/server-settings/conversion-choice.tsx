'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { Service } from '#contracts/http/service.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Stops } from '@/ui/controls/stops.tsx'
import { SizeSliders } from './size-sliders.tsx'
import type { Sizes } from './size-sliders.tsx'

export const customSize = 'custom'
export type ConversionChoice = {
  /** A package's id, or `custom` for a custom size. */
  readonly size: string
  readonly resources: Sizes
  readonly months: number
}

const months = [1, 2, 3, 4, 5, 6] as const

type Props = { service: Service; choice: ConversionChoice; onChange: (change: Partial<ConversionChoice>) => void }

const SizeChoice = ({ service, choice, onChange }: Props) => {
  const t = useTranslations('serverSettings.conversion')
  const locale = useLocale()
  const sizes = service.packages.filter((size) => size.orderable)
  return (
    <fieldset className="sizes">
      <legend className="label mb-2">{t('size')}</legend>
      {sizes.map((size) => (
        <label key={size.id} className="radio">
          <input
            type="radio"
            name="conversion-size"
            checked={choice.size === size.id}
            onChange={() => onChange({ size: size.id })}
          />
          <b>{size.name}</b>
          <span className="price t2">{t('monthly', { price: formatMoney(size.pricePerMonthFt, locale) })}</span>
        </label>
      ))}
      {service.resources && sizes.length > 0 ? (
        <label className="radio">
          <input
            type="radio"
            name="conversion-size"
            checked={choice.size === customSize}
            onChange={() => onChange({ size: customSize })}
          />
          <b>{t('custom')}</b>
        </label>
      ) : null}
    </fieldset>
  )
}

/** Size and months of the paid server after the conversion. */
export const ConversionChoiceFields = (props: Props) => {
  const { service, choice, onChange } = props
  const t = useTranslations('serverSettings.conversion')
  const ts = useTranslations('services')
  return (
    <>
      <SizeChoice {...props} />
      {choice.size === customSize && service.resources ? (
        <SizeSliders
          id="convert"
          ranges={service.resources}
          sizes={choice.resources}
          onChange={(resources) => onChange({ resources })}
        />
      ) : null}
      <Stops
        name="conversion-months"
        legend={t('months')}
        value={String(choice.months)}
        choices={months.map((count) => ({ value: String(count), label: ts('monthsShort', { count }) }))}
        onChange={(value) => onChange({ months: Number(value) })}
      />
    </>
  )
}
