'use client'
import { useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import type { WheelField } from '#contracts/http/spin.ts'
import { pointAt, sectorPath, sectorsOf } from './wheel-geometry.ts'

const radius = 100
/** A narrower sector has no space for its number; the odds table has all of them. */
const narrowDeg = 12

/**
 * The wheel, each sector as wide as its probability, under a fixed mark. The odds table beside it has the same content.
 */
export const WheelDrawing = ({ fields, turnDeg }: { fields: readonly WheelField[]; turnDeg: number }) => {
  const t = useTranslations('spin')
  return (
    <div className="wheel">
      <span className="wheel-mark" aria-hidden="true" />
      <svg
        viewBox="-104 -104 208 208"
        role="img"
        aria-label={t('wheelLabel', { count: fields.length })}
        style={{ '--turn': `${turnDeg}deg` } as CSSProperties}
      >
        {sectorsOf(fields).map((sector, place) => {
          const middle = (sector.startDeg + sector.endDeg) / 2
          const { x, y } = pointAt(middle, radius * 0.78)
          return (
            <g key={sector.id}>
              <path className={`wheel-sector wheel-sector-${place % 3}`} d={sectorPath(sector, radius)} />
              {sector.endDeg - sector.startDeg < narrowDeg ? null : (
                <text x={x} y={y} textAnchor="middle" dominantBaseline="central">
                  {place + 1}
                </text>
              )}
            </g>
          )
        })}
        <circle className="wheel-hub" r="14" />
      </svg>
    </div>
  )
}
