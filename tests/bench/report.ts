/** One line of the benchmark page: what was measured, against what, and the ratio of the two in the same run. */
export type Figure = {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly against?: { readonly what: string; readonly value: number }
  readonly note?: string
}
export type Section = { readonly title: string; readonly method: string; readonly figures: readonly Figure[] }

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** The smallest value that at least the given share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = Math.max(0, Math.ceil(sorted.length * share) - 1)
  const value = sorted[at]
  if (value === undefined) throw new Error('A percentile of nothing.')
  return value
}

const round = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2))

const row = ({ what, value, unit, against, note }: Figure): string =>
  `| ${what} | ${round(value)} ${unit} | ${against ? `${against.what}: ${round(against.value)} ${unit}` : ''} | ` +
  `${against ? round(value / against.value) : ''} | ${note ?? ''} |`

/** The page `docs/benchmarks.md`; `machine` says on what it was measured. */
export function renderReport(sections: readonly Section[], machine: string): string {
  const head = [
    '# Benchmarks',
    '',
    'Written by `npm run bench`. A figure on its own says little about another machine; the ratio to what was measured in the',
    'same run does.',
    '',
    machine,
  ]
  const body = sections.flatMap(({ title, method, figures }) => [
    '',
    `## ${title}`,
    '',
    method,
    '',
    '| what | figure | beside | ratio | note |',
    '|---|---|---|---|---|',
    ...figures.map(row),
  ])
  return `${[...head, ...body].join('\n')}\n`
}
