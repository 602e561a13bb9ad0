/** The size of the drawing in its own units; it is stretched to the width that there is. */
export const STEPS_SIZE = { width: 900, height: 160 } as const

/** A line at the edge would be cut in half. */
const EDGE = 2
const rounded = (value: number): number => Math.round(value * 10) / 10

/** Values as steps of equal width, scaled to `highest`, as the path of an SVG: a line, or with `isArea` the area below it. */
export const stepsPath = (
  values: readonly number[],
  { highest, isArea }: { highest: number; isArea: boolean },
): string => {
  const { width, height } = STEPS_SIZE
  const step = width / Math.max(1, values.length)
  const y = (value: number) => rounded(EDGE + (1 - value / Math.max(1, highest)) * (height - 2 * EDGE))
  const line = values.map((value, at) => `V${y(value)}H${rounded((at + 1) * step)}`).join('')
  if (line === '') return ''
  return isArea ? `M0 ${y(0)}${line}V${y(0)}Z` : `M0 ${y(values[0] ?? 0)}${line}`
}
