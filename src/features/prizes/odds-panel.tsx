'use client'
import { useLocale, useTranslations } from 'next-intl'
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
            cell: ({ basisPoints }) => percent.format(basisPoints / 10_000),
          },
        ]}
      />
    </Panel>
  )
}
