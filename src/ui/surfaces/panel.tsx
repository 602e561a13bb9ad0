import clsx from 'clsx'
import { useId } from 'react'
import type { ReactNode } from 'react'

type PanelProps = {
  title: ReactNode
  children: ReactNode
  /** The end of the title row: a link, a menu, a note. */
  end?: ReactNode
  /** A drag handle before the title, for panels that can be reordered. */
  grip?: ReactNode
  className?: string
}

/** A heavy rule, a title, then rows: never a box. */
export const Panel = ({ title, children, end, grip, className }: PanelProps) => {
  const id = useId()
  return (
    <section className={clsx('panel', className)} aria-labelledby={id}>
      <div className="panel-h">
        {grip}
        <h2 id={id}>{title}</h2>
        {end === undefined ? null : <div className="end row">{end}</div>}
      </div>
      {children}
    </section>
  )
}
