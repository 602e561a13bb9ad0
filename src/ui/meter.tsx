import clsx from 'clsx'
import type { CSSProperties } from 'react'

type MeterProps = {
  label: string
  /** What is used and what there is, in the same unit; what is over the limit shows in amber. */
  used: number
  limit: number
  /** The figures in words, read in place of the raw ratio. */
  text: string
  live?: boolean
}

/** Length carries the figure; the words stand beside it. */
export const Meter = ({ label, used, limit, text, live = false }: MeterProps) => {
  const share = limit > 0 ? Math.max(0, used / limit) : 0
  const over = share > 1 ? 1 - 1 / share : 0
  const style = { '--v': Math.min(1, share), '--from': 1 - over, '--over': over } as CSSProperties
  return (
    <span
      className={clsx('meter', live && 'meter-live')}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      aria-valuetext={text}
      style={style}
    >
      <i />
      {over > 0 ? <b /> : null}
    </span>
  )
}
