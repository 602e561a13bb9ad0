import type { StatsHistory } from '#contracts/panel/stats-history.ts'
import type { ServerStats } from '#contracts/panel/messages.ts'

/** Ten minutes of one sample per second. */
export const samplesKept = 600
/** The samples of a tile's sparkline. */
export const sparkSamples = 60

/** One sample of the server. Rates are bytes per second between two samples; null without a previous one. */
export type Sample = {
  readonly atMs: number
  readonly cpuPercent: number
  readonly memoryBytes: number
  readonly diskBytes: number
  readonly receivedPerSecond: number | null
  readonly sentPerSecond: number | null
}

type Known = { samples: readonly Sample[]; stats: ServerStats | null }

/** Bytes per second between two readings of a counter; a counter that fell (a restart) gives no rate. */
const rateOf = (before: number | undefined, now: number | undefined, seconds: number): number | null =>
  before !== undefined && now !== undefined && now >= before && seconds > 0 ? (now - before) / seconds : null

/** Appends a sample. */
export const withSample = (known: Known, stats: ServerStats, atMs: number): readonly Sample[] => {
  const last = known.samples.at(-1)
  const seconds = last ? (atMs - last.atMs) / 1_000 : 0
  const before = known.stats?.network
  const sample: Sample = {
    atMs,
    cpuPercent: stats.cpu_absolute,
    memoryBytes: stats.memory_bytes,
    diskBytes: stats.disk_bytes,
    receivedPerSecond: rateOf(before?.rx_bytes, stats.network?.rx_bytes, seconds),
    sentPerSecond: rateOf(before?.tx_bytes, stats.network?.tx_bytes, seconds),
  }
  return [...known.samples, sample].slice(-samplesKept)
}

/** The node's samples from before this page, in front of the page's own. */
export const withEarlier = (samples: readonly Sample[], history: StatsHistory): readonly Sample[] => {
  if (history.step !== 1) return samples
  const firstMs = samples[0]?.atMs ?? Number.POSITIVE_INFINITY
  const earlier = history.times.flatMap((time, at): Sample[] =>
    time * 1_000 + 500 >= firstMs
      ? []
      : [
          {
            atMs: time * 1_000,
            cpuPercent: history.cpu.avg[at] ?? 0,
            memoryBytes: history.memory.avg[at] ?? 0,
            diskBytes: history.disk[at] ?? 0,
            receivedPerSecond: history.network?.received.avg[at] ?? null,
            sentPerSecond: history.network?.sent.avg[at] ?? null,
          },
        ],
  )
  return [...earlier, ...samples].slice(-samplesKept)
}

/** Points of a sparkline in a box of `width` x `height`: newest at the end, the highest value at the top. */
export const sparkPath = (
  values: readonly number[],
  size: { width: number; height: number },
  ceiling?: number,
): string => {
  if (values.length < 2) return ''
  const top = Math.max(ceiling ?? 0, ...values, Number.EPSILON)
  const stepX = size.width / (sparkSamples - 1)
  const startX = size.width - stepX * (values.length - 1)
  return values
    .map((value, index) => {
      const x = (startX + stepX * index).toFixed(1)
      const y = (size.height - 1 - (value / top) * (size.height - 2)).toFixed(1)
      return `${index === 0 ? 'M' : 'L'}${x} ${y}`
    })
    .join('')
}
