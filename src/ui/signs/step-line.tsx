import clsx from 'clsx'
import type { CSSProperties, ReactNode } from 'react'
import { LampGlyph } from './lamp.tsx'
import type { LampKind } from './lamp.tsx'

export type Step = {
  id: string
  /** `done` and `current` are filled, `ahead` is hollow, `uncovered` is dashed. */
  state: 'done' | 'current' | 'ahead' | 'uncovered'
  /** A lamp in place of the stop, where the step itself has a state. */
  lamp?: LampKind
  children: ReactNode
}

/** A flow, a job or a run as stops of one vertical line. `atPx` is the offset of the stop inside its row. */
export const StepLine = ({
  steps,
  atPx = 12,
  className,
}: {
  steps: readonly Step[]
  atPx?: number
  className?: string
}) => (
  <ol className={clsx('steps', className)} style={{ '--at': `${atPx}px` } as CSSProperties}>
    {steps.map((step) => (
      <li
        key={step.id}
        className={clsx(step.state === 'done' && 'full', step.state === 'uncovered' && 'dash')}
        {...(step.state === 'current' ? { 'aria-current': 'step' as const } : {})}
      >
        {step.lamp ? (
          <span className="at">
            <LampGlyph kind={step.lamp} />
          </span>
        ) : (
          <span className="dot" />
        )}
        {step.children}
      </li>
    ))}
  </ol>
)
