import clsx from 'clsx'
import type { ReactNode } from 'react'
import { LampGlyph } from '../signs/lamp.tsx'
import type { LampKind } from '../signs/lamp.tsx'

export type NoticeTone = 'plain' | 'go' | 'wait' | 'stop'
const lamps: Readonly<Record<NoticeTone, LampKind | null>> = { plain: null, go: 'done', wait: 'due', stop: 'crash' }

type NoticeProps = {
  tone?: NoticeTone
  children: ReactNode
  action?: ReactNode
  /** `status` is announced politely, `alert` at once; without it the notice is part of the page. */
  role?: 'status' | 'alert'
  className?: string
}

/** One state, one sentence, one action: a bar with a lamp. */
export const Notice = ({ tone = 'plain', children, action, role, className }: NoticeProps) => {
  const lamp = lamps[tone]
  return (
    <div className={clsx('notice', tone !== 'plain' && `notice-${tone}`, className)} {...(role ? { role } : {})}>
      {lamp ? <LampGlyph kind={lamp} /> : null}
      <div className="grow">{children}</div>
      {action}
    </div>
  )
}

/** A status word of a row: paid, pending, failed. */
export const Mark = ({ tone = 'plain', children }: { tone?: NoticeTone; children: ReactNode }) => (
  <span className={clsx('mark', tone !== 'plain' && `mark-${tone}`)}>{children}</span>
)
