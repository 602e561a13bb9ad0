import type { ServerStats } from '#contracts/panel/messages.ts'

export const samplesKept = 60

/** One look at the server. Rates are bytes a second, measured between two looks; null where there is nothing to compare. */
export type Sample = {
  readonly atMs: number
  readonly cpuPercent: number
  readonly memoryBytes: number
  readonly networkBytesPerSecond: number | null
}

type Known = { samples: readonly Sample[]; stats: ServerStats | null }

const total = (stats: ServerStats) => (stats.network ? stats.network.rx_bytes + stats.network.tx_bytes : null)

/** Appends a look; counters that went back (a restart) give no rate. */
export const withSample = (known: Known, stats: ServerStats, atMs: number): readonly Sample[] => {
  const last = known.samples.at(-1)
  const before = known.stats ? total(known.stats) : null
  const now = total(stats)
  const seconds = last ? (atMs - last.atMs) / 1_000 : 0
  const rate = before !== null && now !== null && now >= before && seconds > 0 ? (now - before) / seconds : null
  const sample = { atMs, cpuPercent: stats.cpu_absolute, memoryBytes: stats.memory_bytes, networkBytesPerSecond: rate }
  return [...known.samples, sample].slice(-samplesKept)
}

/** Points of a sparkline in a box of `width` x `height`: newest at the end, the highest value at the top. */
export const sparkPath = (
  values: readonly number[],
  size: { width: number; height: number },
  ceiling?: number,
): string => {
  if (values.length < 2) return ''
  const top = Math.max(ceiling ?? 0, ...values, Number.EPSILON)
  const stepX = size.width / (samplesKept - 1)
  const startX = size.width - stepX * (values.length - 1)
  return values
    .map((value, index) => {
      const x = (startX + stepX * index).toFixed(1)
      const y = (size.height - 1 - (value / top) * (size.height - 2)).toFixed(1)
      return `${index === 0 ? 'M' : 'L'}${x} ${y}`
    })
    .join('')
}
