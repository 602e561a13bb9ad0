'use client'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import type { CSSProperties } from 'react'
import { Chip } from '@/ui/controls/chip.tsx'

type MomentSliderProps = {
  /** Epoch seconds. */
  from: number
  to: number
  step: number
  /** Null is the present. */
  at: number | null
  time: string
  /** The values of all graphs at that time, as one sentence. */
  values: string
  onChoose: (at: number | null) => void
}

/** The cursor of the graphs as a slider, for the keyboard and for readers who do not see the drawings. */
export const MomentSlider = ({ from, to, step, at, time, values, onChoose }: MomentSliderProps) => {
  const t = useTranslations('console.graphs')
  const id = useId()
  const value = Math.min(to, Math.max(from, at ?? to))
  return (
    <div className="sl graph-moment">
      <div className="top2">
        <label htmlFor={id}>{t('moment')}</label>
        <b className="tnum">{at === null ? t('now') : time}</b>
      </div>
      <div className="graph-moment-line">
        <span className="slider" style={{ '--v': to > from ? (value - from) / (to - from) : 0 } as CSSProperties}>
          <input
            id={id}
            type="range"
            min={from}
            max={to}
            step={step}
            value={value}
            aria-valuetext={`${at === null ? t('now') : time}: ${values}`}
            onChange={(event) => onChoose(Number(event.currentTarget.value))}
          />
        </span>
        <Chip small onClick={() => onChoose(null)}>
          {t('toNow')}
        </Chip>
      </div>
    </div>
  )
}
