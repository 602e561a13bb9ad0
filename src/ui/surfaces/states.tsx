import clsx from 'clsx'
import type { CSSProperties, ReactNode } from 'react'
import { LampGlyph } from '../signs/lamp.tsx'

/** Nothing is here yet: one sentence and one action. */
export const EmptyState = ({
  picture,
  title,
  children,
  action,
}: {
  /** A drawing of the thing that will stand here. */
  picture?: ReactNode
  title?: ReactNode
  children: ReactNode
  action?: ReactNode
}) => (
  <div className="empty">
    {picture}
    {title === undefined ? null : <h3>{title}</h3>}
    <p className="t2">{children}</p>
    {action}
  </div>
)

type ErrorStateProps = {
  /** The part that failed, and the part that is safe. */
  children: ReactNode
  action?: ReactNode
  /** Shown so that the reader can send it to support. */
  reportId?: string | undefined
  reportLabel?: string
}

export const ErrorState = ({ children, action, reportId, reportLabel }: ErrorStateProps) => (
  <div className="empty empty-failed" role="alert">
    <div className="row gap-3">
      <LampGlyph kind="crash" />
      <div>{children}</div>
    </div>
    {reportId ? (
      <p className="small t2">
        {reportLabel} <code className="mono select-all">{reportId}</code>
      </p>
    ) : null}
    {action}
  </div>
)

/**
 * Grey bars in the final size of the loading content; hidden from assistive technology, since the region itself is
 * marked busy.
 */
export const Skeleton = ({
  width = '100%',
  height = 12,
  className,
}: {
  width?: string
  height?: number
  className?: string
}) => <span className={clsx('skel', className)} style={{ width, height } as CSSProperties} aria-hidden="true" />

/** Without a label something beside it says what is loading. */
export const SkeletonRows = ({ rows = 3, label }: { rows?: number; label?: string }) => (
  <div role="status" className="stack py-3">
    {label === undefined ? null : <span className="vh">{label}</span>}
    {Array.from({ length: rows }, (_, row) => (
      <Skeleton key={row} width={row % 2 === 0 ? '70%' : '46%'} />
    ))}
  </div>
)
