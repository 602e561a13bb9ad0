/** The graph leaves this much room above its highest value, for the number. */
const HEADROOM = 1.25

/** A value on its way along the graph, in percent of its width and, from above, of its height. */
export type GraphPoint = { readonly at: number; readonly x: number; readonly y: number; readonly value: number }

export type PlayersGraph = {
  readonly points: readonly GraphPoint[]
  /** Paths in a square of 100 by 100: days that are over, and the way to today, which is not. */
  readonly past: string
  readonly today: string
  readonly ticks: readonly { readonly value: number; readonly y: number }[]
}

/** The largest of 1, 2 and 5 with zeros that is at most `value`, and at least one. */
const roundStep = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return power * ([5, 2, 1].find((step) => step * power <= Math.max(1, value)) ?? 1)
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/** Values of equal distance as a line. Where one is unknown the line has a gap; the last one is today. */
export const playersGraph = (values: readonly (number | null)[]): PlayersGraph => {
  const highest = Math.max(1, ...values.map((value) => value ?? 0))
  const top = highest * HEADROOM
  const y = (value: number) => rounded((1 - value / top) * 100)
  const points = values.flatMap((value, at): GraphPoint[] =>
    value === null ? [] : [{ at, x: rounded(((at + 0.5) / values.length) * 100), y: y(value), value }],
  )
  const joins = points.flatMap((to, at) => {
    const from = points[at - 1]
    return from !== undefined && from.at === to.at - 1 ? [{ from, to }] : []
  })
  const pathOf = (isToday: boolean) =>
    joins
      .filter(({ to }) => (to.at === values.length - 1) === isToday)
      .map(({ from, to }) => `M${from.x} ${from.y}L${to.x} ${to.y}`)
      .join('')
  const step = roundStep(highest / 2)
  const ticks = [step, 2 * step].filter((value) => value <= highest).map((value) => ({ value, y: y(value) }))
  return { points, past: pathOf(false), today: pathOf(true), ticks }
}
