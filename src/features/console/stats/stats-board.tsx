'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ServerStats } from '#contracts/panel/messages.ts'
import type { Server } from '#contracts/http/server.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Board } from '@/ui/surfaces/board.tsx'
import type { BoardCell } from '@/ui/surfaces/board.tsx'
import { sparkPath, sparkSamples } from './stats-samples.ts'
import type { Sample } from './stats-samples.ts'
import { bytesParts } from './stats-words.ts'

const size = { width: 200, height: 28 }

const Spark = ({ values, ceiling }: { values: readonly number[]; ceiling?: number }) => (
  <svg
    className="spark con-spark"
    viewBox={`0 0 ${size.width} ${size.height}`}
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <path d={sparkPath(values.slice(-sparkSamples), size, ceiling)} vectorEffect="non-scaling-stroke" />
  </svg>
)

type Look = { stats: ServerStats | null; samples: readonly Sample[]; server: Server; locale: string }
type Words = ReturnType<typeof useTranslations<'console'>>

const cpuCell = (t: Words, { stats, samples, server, locale }: Look): BoardCell => ({
  id: 'cpu',
  term: t('stats.cpu'),
  value: stats ? new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(stats.cpu_absolute) : '–',
  unit: `% / ${server.cpuPercent}\u00A0%`,
  note: <Spark values={samples.map((sample) => sample.cpuPercent)} ceiling={server.cpuPercent} />,
})

const memoryCell = (t: Words, { stats, samples, server, locale }: Look): BoardCell => {
  const limitBytes =
    stats && stats.memory_limit_bytes > 0 ? stats.memory_limit_bytes : server.maximumMemoryMiB * 1_048_576
  const limit = bytesParts(limitBytes, locale)
  return {
    id: 'memory',
    term: t('stats.memory'),
    value: stats ? bytesParts(stats.memory_bytes, locale, limit.unit).value : '–',
    unit: `/ ${limit.value}\u00A0${limit.unit}`,
    note: <Spark values={samples.map((sample) => sample.memoryBytes)} ceiling={limitBytes} />,
  }
}

const diskCell = (t: Words, { stats, samples, server, locale }: Look): BoardCell => {
  const limitBytes = server.maximumStorageMiB * 1_048_576
  const limit = bytesParts(limitBytes, locale)
  return {
    id: 'disk',
    term: t('stats.disk'),
    value: stats ? bytesParts(stats.disk_bytes, locale, limit.unit).value : '–',
    unit: `/ ${limit.value}\u00A0${limit.unit}`,
    note: <Spark values={samples.map((sample) => sample.diskBytes)} ceiling={limitBytes} />,
  }
}

const networkCell = (t: Words, { stats, samples, locale }: Look): BoardCell => {
  const last = samples.at(-1)
  const rates = samples.map((sample) => (sample.receivedPerSecond ?? 0) + (sample.sentPerSecond ?? 0))
  const rate = stats === null || last?.receivedPerSecond === null ? undefined : rates.at(-1)
  const shown = bytesParts(rate ?? 0, locale)
  const isUnknown = stats !== null && stats.network === null
  return {
    id: 'network',
    term: t('stats.network'),
    value: rate === undefined || isUnknown ? '–' : shown.value,
    unit: isUnknown ? t('stats.noNetwork') : `${shown.unit}/s`,
    note: <Spark values={isUnknown ? [] : rates} ceiling={1_024} />,
  }
}

/** Current processor, memory, storage and network, and the next payment date. */
export const StatsBoard = ({ stats, samples, server, stale }: Omit<Look, 'locale'> & { stale: boolean }) => {
  const t = useTranslations('console')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const look = { stats, samples, server, locale }
  return (
    <Board
      className={stale ? 'con-board stale' : 'con-board'}
      columns={5}
      cells={[
        cpuCell(t, look),
        memoryCell(t, look),
        diskCell(t, look),
        networkCell(t, look),
        {
          id: 'expiry',
          term: t('stats.expiry'),
          value: formatDate(server.expiry, locale, { style: 'day', timeZone }),
          note: t('stats.renewal', { price: formatMoney(server.monthlyPriceFt, locale) }),
        },
      ]}
    />
  )
}
