import type { CSSProperties } from 'react'

type RangeSliderProps = {
  id: string
  label: string
  value: number
  range: { minimum: number; maximum: number; step: number }
  /** The value as shown and announced. */
  words: (value: number) => string
  onChange: (value: number) => void
  disabled?: boolean
  /** Id of the text that explains the value. */
  describedBy?: string
}

/** A value between two bounds in steps. Arrow keys work because it is the browser's own range input. */
export const RangeSlider = ({ id, label, value, range, words, onChange, disabled, describedBy }: RangeSliderProps) => {
  const { minimum, maximum, step } = range
  const share = maximum > minimum ? (value - minimum) / (maximum - minimum) : 0
  return (
    <div className="sl">
      <div className="top2">
        <label htmlFor={id}>{label}</label>
        <b>{words(value)}</b>
      </div>
      <span className="slider" style={{ '--v': share } as CSSProperties}>
        <input
          id={id}
          type="range"
          min={minimum}
          max={maximum}
          step={step}
          value={value}
          aria-valuetext={words(value)}
          aria-describedby={describedBy}
          disabled={disabled}
          onChange={(event) => onChange(Number(event.currentTarget.value))}
        />
      </span>
      <div className="ends">
        <span>
          {words(minimum)} – {words(maximum)}
        </span>
      </div>
    </div>
  )
}
