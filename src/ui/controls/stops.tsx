import type { ChangeEvent, CSSProperties, ReactNode } from 'react'

export type StopChoice = { value: string; label: ReactNode; note?: ReactNode; disabled?: boolean }

type StopsProps = {
  name: string
  legend: string
  choices: readonly StopChoice[]
  value?: string
  onChange?: (value: string) => void
  /** A hidden legend stays available to assistive technology. */
  legendHidden?: boolean
}

/** A radio group drawn as a horizontal line: months, amounts. Arrow keys work because these are radios. */
export const Stops = ({ name, legend, choices, value, onChange, legendHidden = false }: StopsProps) => (
  <fieldset>
    <legend className={legendHidden ? 'vh' : 'label mb-2'}>{legend}</legend>
    <div className="stops" style={{ '--count': choices.length } as CSSProperties}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            disabled={choice.disabled}
            {...(value === undefined ? {} : { checked: value === choice.value })}
            onChange={(event: ChangeEvent<HTMLInputElement>) => onChange?.(event.currentTarget.value)}
          />
          <span>{choice.label}</span>
          {choice.note ? <small>{choice.note}</small> : null}
        </label>
      ))}
    </div>
  </fieldset>
)
