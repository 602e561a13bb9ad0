'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { ResourceChoice, Service } from '#contracts/http/service.ts'
import { memoryText } from '@/lib/format/size.ts'
import { RangeSlider } from '@/ui/controls/range-slider.tsx'

export const resourceKeys = ['cpuPercent', 'ramMiB', 'storageMiB'] as const
export type Sizes = Pick<ResourceChoice, (typeof resourceKeys)[number]>
export type Ranges = NonNullable<Service['resources']>

type Props = { id: string; ranges: Ranges; sizes: Sizes; onChange: (sizes: Sizes) => void }

/** Processor, memory and storage of a custom size. */
export const SizeSliders = ({ id, ranges, sizes, onChange }: Props) => {
  const t = useTranslations('services')
  const locale = useLocale()
  return (
    <div className="size-sliders">
      {resourceKeys.map((kind) => (
        <RangeSlider
          key={kind}
          id={`${id}-${kind}`}
          label={t(`resources.${kind}`)}
          range={ranges[kind]}
          words={(amount) => (kind === 'cpuPercent' ? `${amount}\u00A0%` : memoryText(amount, locale))}
          value={sizes[kind]}
          onChange={(value) => onChange({ ...sizes, [kind]: value })}
        />
      ))}
    </div>
  )
}
