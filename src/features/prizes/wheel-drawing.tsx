'use client'
import clsx from 'clsx'
import { useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import type { WheelField } from '#contracts/http/spin.ts'
import { drawingPath } from '#contracts/pictures.ts'
import { prizeDrawing } from './prize-picture.tsx'
import { useShortPrize } from './prize-words.ts'
import { labelOf, labelRadius, pictureOf, sectorPath, sectorsOf } from './wheel-geometry.ts'
import type { Sector } from './wheel-geometry.ts'

const radius = 100
/** A label is wider than such a sector: it has an outline, so that it can be read over its neighbours. */
const thinDeg = 4

const isThin = ({ startDeg, endDeg }: Sector) => endDeg - startDeg < thinDeg

type WheelDrawingProps = {
  fields: readonly WheelField[]
  turnDeg: number
  /** The prize that was won, once the wheel has stopped. */
  wonId: string | null
}

/**
 * The wheel, each sector as wide as its probability, with the picture and the short name of its prize, under a fixed mark. The odds table beside it
 * has the same content.
 */
export const WheelDrawing = ({ fields, turnDeg, wonId }: WheelDrawingProps) => {
  const t = useTranslations('spin')
  const words = useShortPrize()
  const sectors = sectorsOf(fields)
  return (
    <div className="wheel">
      <span className="wheel-mark" aria-hidden="true" />
      <svg
        viewBox="-104 -104 208 208"
        role="img"
        aria-label={t('wheelLabel', { count: fields.length })}
        style={{ '--turn': `${turnDeg}deg` } as CSSProperties}
      >
        {fields.map((field, place) => {
          const sector = sectors[place]
          if (!sector) return null
          const picture = pictureOf(sector, radius)
          return (
            <g
              key={field.id}
              className={clsx(`wheel-${field.type}`, isThin(sector) && 'wheel-thin', field.id === wonId && 'wheel-won')}
            >
              <path className="wheel-sector" d={sectorPath(sector, radius)} />
              {picture ? <image {...picture} href={drawingPath('prizes', prizeDrawing(field))} /> : null}
              <text {...labelOf(sector, labelRadius(sector, radius))} dominantBaseline="central">
                {words(field)}
              </text>
            </g>
          )
        })}
        <circle className="wheel-hub" r="24" />
      </svg>
    </div>
  )
}
