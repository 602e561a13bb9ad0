'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { Package, Service } from '#contracts/http/service.ts'
import { playersFor } from '#domain/servers/player-guide.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { memoryText } from '@/lib/format/size.ts'
import { RangeSlider } from '@/ui/controls/range-slider.tsx'
import { customSize } from './rent-choice.ts'
import type { RentChoice } from './rent-choice.ts'

type SizeStepProps = { service: Service; choice: RentChoice; onChange: (change: Partial<RentChoice>) => void }

const SizeRow = ({ size, chosen, onChoose }: { size: Package; chosen: boolean; onChoose: () => void }) => {
  const t = useTranslations('services')
  const locale = useLocale()
  return (
    <tr>
      <td>
        <label className="radio">
          <input type="radio" name="size" checked={chosen} onChange={onChoose} />
          <b>{size.name}</b>
          <small className="narrow">
            <span className="nw">
              {t('columns.cpu')} {size.cpuPercent}&nbsp;%
            </span>{' '}
            <span className="nw">
              {t('columns.storage')} {memoryText(size.storageMiB, locale)}
            </span>
          </small>
        </label>
      </td>
      <td className="c t2">{size.cpuPercent}&nbsp;%</td>
      <td className="t2">{memoryText(size.ramMiB, locale)}</td>
      <td className="c t2">{memoryText(size.storageMiB, locale)}</td>
      <td className="r nw">{formatMoney(size.pricePerMonthFt, locale)}</td>
    </tr>
  )
}

const CustomRow = ({ chosen, onChoose }: { chosen: boolean; onChoose: () => void }) => {
  const t = useTranslations('services')
  return (
    <tr>
      <td colSpan={5}>
        <label className="radio">
          <input type="radio" name="size" checked={chosen} onChange={onChoose} />
          <b>{t('custom')}</b>
        </label>
      </td>
    </tr>
  )
}

const resourceKeys = ['cpuPercent', 'ramMiB', 'storageMiB'] as const
const OwnSize = ({ service, choice, onChange }: SizeStepProps) => {
  const t = useTranslations('services')
  const locale = useLocale()
  const { resources } = choice
  const ranges = service.resources
  if (!resources || !ranges) return null
  return (
    <div className="g2">
      {resourceKeys.map((kind) => (
        <RangeSlider
          key={kind}
          id={`resource-${kind}`}
          label={t(`resources.${kind}`)}
          range={ranges[kind]}
          words={(amount) => (kind === 'cpuPercent' ? `${amount}\u00A0%` : memoryText(amount, locale))}
          value={resources[kind]}
          onChange={(value) => onChange({ resources: { ...resources, [kind]: value } })}
        />
      ))}
    </div>
  )
}

/** For whom the chosen size is: its players by memory, else the words of its package. */
export const SizeGuide = ({ service, choice }: Pick<SizeStepProps, 'service' | 'choice'>) => {
  const t = useTranslations('services.facts')
  const size = service.packages.find(({ id }) => id === choice.size)
  const memoryMiB = size?.ramMiB ?? choice.resources?.ramMiB
  if (service.players && memoryMiB !== undefined) {
    return <small>{t('players', { count: playersFor(memoryMiB, service.players) })}</small>
  }
  return size?.description ? <small>{size.description}</small> : null
}

/** Second step: a package, or a custom size if the service has one. */
export const SizeStep = ({ service, choice, onChange }: SizeStepProps) => {
  const t = useTranslations('services')
  const sizes = service.packages.filter((size) => size.orderable)
  return (
    <>
      <fieldset className="pk">
        <legend className="vh">{t('steps.size')}</legend>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('columns.package')}</th>
              <th scope="col" className="c">
                {t('columns.cpu')}
              </th>
              <th scope="col">{t('columns.memory')}</th>
              <th scope="col" className="c">
                {t('columns.storage')}
              </th>
              <th scope="col" className="r">
                {t('columns.monthly')}
              </th>
            </tr>
          </thead>
          <tbody>
            {sizes.map((size) => (
              <SizeRow
                key={size.id}
                size={size}
                chosen={choice.size === size.id}
                onChoose={() => onChange({ size: size.id })}
              />
            ))}
            {service.resources && sizes.length > 0 ? (
              <CustomRow chosen={choice.size === customSize} onChoose={() => onChange({ size: customSize })} />
            ) : null}
          </tbody>
        </table>
      </fieldset>
      {choice.size === customSize ? <OwnSize service={service} choice={choice} onChange={onChange} /> : null}
    </>
  )
}
