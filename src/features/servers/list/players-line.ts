/** The size of the drawing in its own units, one for each pixel. */
export const LINE_SIZE = { width: 56, height: 20 } as const

/** A line of one unit would be cut in half at the edges. */
const EDGE = 1

const rounded = (value: number): number => Math.round(value * 10) / 10

/**
 * The steps of a count by hours as the path of an SVG, scaled to the highest hour. Hours without a value leave a gap.
 * Empty without any value.
 */
export const playersLine = (hours: readonly (number | null)[]): string => {
  const highest = Math.max(1, ...hours.map((hour) => hour ?? 0))
  const step = LINE_SIZE.width / Math.max(1, hours.length)
  const y = (value: number) => rounded(EDGE + (1 - value / highest) * (LINE_SIZE.height - 2 * EDGE))
  return hours
    .map((hour, at) => {
      if (hour === null) return ''
      const joins = at > 0 && hours[at - 1] !== null
      const begin = joins ? `V${y(hour)}` : `M${rounded(at * step)} ${y(hour)}`
      return `${begin}H${rounded((at + 1) * step)}`
    })
    .join('')
}
