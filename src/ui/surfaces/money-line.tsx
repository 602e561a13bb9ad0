import clsx from 'clsx'
import type { ReactNode } from 'react'

export type MoneyRow = { id: string; term: ReactNode; amount: ReactNode; kind?: 'row' | 'sum' | 'total' }

/** A sum with its parts: rows, their subtotal, and the total in large figures. */
export const MoneyLine = ({ rows, className }: { rows: readonly MoneyRow[]; className?: string }) => (
  <dl className={clsx('money', className)}>
    {rows.map((row) => (
      <div key={row.id} className={clsx(row.kind === 'sum' && 'sum', row.kind === 'total' && 'total')}>
        <dt>{row.term}</dt>
        <dd>{row.amount}</dd>
      </div>
    ))}
  </dl>
)
