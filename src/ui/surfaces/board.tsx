import clsx from 'clsx'
import type { CSSProperties, ReactNode } from 'react'

export type BoardCell = { id: string; term: ReactNode; value: ReactNode; unit?: ReactNode; note?: ReactNode }

/** Figures between rules, split by hairlines, on one baseline. `columns` applies to wide screens; a phone shows two. */
export const Board = ({
  cells,
  columns,
  className,
}: {
  cells: readonly BoardCell[]
  columns?: number
  className?: string
}) => (
  <dl className={clsx('board', className)} style={{ '--n': columns ?? cells.length } as CSSProperties}>
    {cells.map((cell) => (
      <div key={cell.id}>
        <dt>{cell.term}</dt>
        <dd>
          {cell.value}
          {cell.unit === undefined ? null : <span className="u"> {cell.unit}</span>}
          {cell.note === undefined ? null : <small>{cell.note}</small>}
        </dd>
      </div>
    ))}
  </dl>
)
