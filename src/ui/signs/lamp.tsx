import clsx from 'clsx'
import type { ReactNode } from 'react'

export const lampKinds = [
  'go',
  'healthy',
  'done',
  'busy',
  'stopping',
  'due',
  'crash',
  'held',
  'away',
  'off',
  'joined',
] as const
export type LampKind = (typeof lampKinds)[number]

const shapes: Readonly<Record<LampKind, ReactNode>> = {
  go: (
    <>
      <circle cx="8" cy="8" r="7" className="fill-go" />
      <path d="M6.2 4.9v6.2l5.1-3.1z" className="fill-base" />
    </>
  ),
  healthy: <circle cx="8" cy="8" r="6" fill="none" className="stroke-go" strokeWidth="2" />,
  done: (
    <>
      <circle cx="8" cy="8" r="7" className="fill-go" />
      <path d="m4.8 8.2 2.2 2.2 4.2-4.6" fill="none" className="stroke-base" strokeWidth="1.9" />
    </>
  ),
  busy: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" className="stroke-wait" strokeWidth="2" />
      <path d="M8 2a6 6 0 0 1 0 12z" className="fill-wait" />
    </>
  ),
  stopping: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" className="stroke-stop" strokeWidth="2" />
      <path d="M8 2a6 6 0 0 1 0 12z" className="fill-stop" />
    </>
  ),
  due: (
    <>
      <path d="M8 1.2 15.4 14.6H.6z" className="fill-wait" />
      <path d="M8 6v4.2M8 11.6v1.5" className="stroke-base" strokeWidth="1.8" fill="none" />
    </>
  ),
  crash: <rect x="2" y="2" width="12" height="12" rx="1" className="fill-stop" />,
  held: (
    <>
      <circle cx="8" cy="8" r="7" className="fill-stop" />
      <rect x="3.8" y="6.9" width="8.4" height="2.2" className="fill-base" />
    </>
  ),
  away: <circle cx="8" cy="8" r="6" fill="none" className="stroke-stop" strokeWidth="2" strokeDasharray="3.14 3.14" />,
  off: <circle cx="8" cy="8" r="6" className="fill-off-fill stroke-off" strokeWidth="2" />,
  joined: (
    <path d="M2 3v3.5c0 1.9 1.4 3 3.2 3H14M10 5.5l4 4-4 4" fill="none" className="stroke-text-2" strokeWidth="2" />
  ),
}

/**
 * The lamp's drawing alone, hidden from assistive technology: only for places where the word is in the same element.
 */
export const LampGlyph = ({ kind, className }: { kind: LampKind; className?: string }) => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" {...(className ? { className } : {})}>
    {shapes[kind]}
  </svg>
)

type LampProps = { kind: LampKind; children: ReactNode; quiet?: boolean; large?: boolean; className?: string }

/** A state as shape, colour and word together. `quiet` greys the word in lists so that exceptions stand out. */
export const Lamp = ({ kind, children, quiet = false, large = false, className }: LampProps) => (
  <span className={clsx('lamp', `lamp-${kind}`, quiet && 'lamp-quiet', large && 'lamp-l', className)}>
    <LampGlyph kind={kind} />
    {children}
  </span>
)
