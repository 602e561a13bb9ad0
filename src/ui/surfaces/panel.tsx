import clsx from 'clsx'
import { useId } from 'react'
import type { ReactNode } from 'react'

/** The controls of a panel that can be moved: a drag handle before the title, and a menu at the end of its row. */
export type PanelTools = { grip?: ReactNode; menu?: ReactNode }

type PanelProps = PanelTools & {
  title: ReactNode
  children: ReactNode
  /** The end of the title row: a link or a note. */
  end?: ReactNode
  className?: string
}

/** A heavy rule, a title, then rows: never a box. */
export const Panel = ({ title, children, end, grip, menu, className }: PanelProps) => {
  const id = useId()
  return (
    <section className={clsx('panel', className)} aria-labelledby={id}>
      <div className="panel-h">
        {grip}
        <h2 id={id}>{title}</h2>
        {end === undefined && menu === undefined ? null : (
          <div className="end row">
            {end}
            {menu}
          </div>
        )}
      </div>
      {children}
    </section>
  )
}
