/** Shares of a whole turn in basis points, as in the odds table. */
export type Sector = { readonly id: string; readonly startDeg: number; readonly endDeg: number }

const WHOLE_BASIS_POINTS = 10_000

/** The sectors of the wheel, clockwise from the top: each as wide as its probability. */
export const sectorsOf = (fields: readonly { id: string; basisPoints: number }[]): Sector[] => {
  let before = 0
  return fields.map(({ id, basisPoints }) => {
    const startDeg = (before / WHOLE_BASIS_POINTS) * 360
    before += basisPoints
    return { id, startDeg, endDeg: (before / WHOLE_BASIS_POINTS) * 360 }
  })
}

/** Coordinates of a point on a circle around 0, `deg` clockwise from the top. */
export const pointAt = (deg: number, radius: number): { readonly x: number; readonly y: number } => {
  const angle = ((deg - 90) * Math.PI) / 180
  return { x: Math.round(Math.cos(angle) * radius * 100) / 100, y: Math.round(Math.sin(angle) * radius * 100) / 100 }
}

/** The size of a label in a wide sector; a narrower one has a smaller label, down to what can still be read. */
const LABEL_SIZE = 8
const LEAST_LABEL_SIZE = 4.5
/** The share of a sector's width that its label may fill, measured near the rim. */
const LABEL_SHARE = 0.75

/**
 * The place of a sector's label: along its middle, from the rim inwards, and never upside down while the wheel is not
 * turned.
 */
export const labelOf = ({ startDeg, endDeg }: Sector, radius: number) => {
  const middle = (startDeg + endDeg) / 2
  const isLeft = middle > 180
  const x = Math.round(radius * 0.93)
  const width = ((endDeg - startDeg) / 360) * 2 * Math.PI * radius * 0.8
  return {
    transform: `rotate(${Math.round((middle + (isLeft ? 90 : -90)) * 100) / 100})`,
    x: isLeft ? -x : x,
    textAnchor: isLeft ? ('start' as const) : ('end' as const),
    fontSize: Math.round(Math.max(LEAST_LABEL_SIZE, Math.min(LABEL_SIZE, width * LABEL_SHARE)) * 100) / 100,
  }
}

/** Sectors that are wide enough for a picture at the rim. */
const PICTURED_DEG = 20
const PICTURE_SIZE = 22
/** Where the middle of a picture is, and where the label below it begins, as shares of the radius. */
const PICTURE_AT = 0.82
const LABEL_BELOW = 0.7

/** The place of a sector's picture: at the rim, upright when the sector is at the top; null in a narrow one. */
export const pictureOf = ({ startDeg, endDeg }: Sector, radius: number) => {
  if (endDeg - startDeg < PICTURED_DEG) return null
  const half = PICTURE_SIZE / 2
  return {
    transform: `rotate(${Math.round(((startDeg + endDeg) / 2) * 100) / 100})`,
    x: -half,
    y: -Math.round(radius * PICTURE_AT) - half,
    width: PICTURE_SIZE,
    height: PICTURE_SIZE,
  }
}

/** The radius at whose rim a label begins: below the picture, if the sector has one. */
export const labelRadius = (sector: Sector, radius: number): number =>
  pictureOf(sector, radius) === null ? radius : radius * LABEL_BELOW

/** The outline of a sector; a whole circle is drawn as two halves. */
export const sectorPath = ({ startDeg, endDeg }: Sector, radius: number): string => {
  const [from, to] = [pointAt(startDeg, radius), pointAt(endDeg, radius)]
  if (endDeg - startDeg >= 359.9) {
    const half = pointAt(startDeg + 180, radius)
    return `M${from.x} ${from.y}A${radius} ${radius} 0 0 1 ${half.x} ${half.y}A${radius} ${radius} 0 0 1 ${from.x} ${from.y}Z`
  }
  const isLarge = endDeg - startDeg > 180 ? 1 : 0
  return `M0 0L${from.x} ${from.y}A${radius} ${radius} 0 ${isLarge} 1 ${to.x} ${to.y}Z`
}

const TURNS = 4

/** The rotation that puts the middle of a sector under the mark: forward, plus some whole turns. */
export const turnTo = (sector: Sector, nowDeg: number): number => {
  const middle = (sector.startDeg + sector.endDeg) / 2
  const rest = (((360 - middle - nowDeg) % 360) + 360) % 360
  return nowDeg + TURNS * 360 + rest
}
