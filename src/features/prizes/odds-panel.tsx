'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import type { WheelView } from '#contracts/http/spin.ts'
import { DataTable } from '@/ui/surfaces/data-table.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { PrizePicture } from './prize-picture.tsx'
import { usePrizeWords } from './prize-words.ts'

/** Every prize with its probability. */
export const OddsPanel = ({ view }: { view: WheelView }) => {
  const t = useTranslations('spin')
  const locale = useLocale()
  const words = usePrizeWords()
  const highest = Math.max(1, ...view.fields.map(({ basisPoints }) => basisPoints))
  const percent = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 2 })
  return (
    <Panel title={t('odds')}>
      <DataTable
        caption={t('odds')}
        dense
        rows={view.fields}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'prize',
            head: t('columns.prize'),
            cell: (row) => (
              <span className="prize">
                <PrizePicture prize={row} width={28} />
                {row.type === 'server' && view.serverPackage ? `${words(row)}: ${view.serverPackage}` : words(row)}
              </span>
            ),
          },
          {
            id: 'chance',
            head: t('columns.chance'),
            numeric: true,
            cell: ({ basisPoints }) => (
              <span className="odds">
                <span
                  className="odds-bar"
                  aria-hidden
                  style={{ '--share': `${(100 * basisPoints) / highest}%` } as CSSProperties}
                />
                {percent.format(basisPoints / 10_000)}
              </span>
            ),
          },
        ]}
      />
    </Panel>
  )
}
