import type { ReactNode } from 'react'

type Props = {
  id?: string
  station: ReactNode
  title: ReactNode
  lead?: ReactNode
  children?: ReactNode
  /** Content wider than the line's column, after the heading. */
  wide?: ReactNode
}

/** A section as a stop of the page's one line. */
export const Section = ({ id, station, title, lead, children, wide }: Props) => {
  const headId = `h-${id ?? 'section'}`
  const head = (
    <div className="sec__head">
      <h2 className="h2" id={headId}>
        {title}
      </h2>
      {lead ? <p className="lead">{lead}</p> : null}
    </div>
  )
  return (
    <section className="sec" {...(id ? { id } : {})} aria-labelledby={headId}>
      <p className="station">
        <i className="halt" />
        {station}
      </p>
      {wide === undefined ? (
        <div>
          {head}
          {children}
        </div>
      ) : (
        <>
          {head}
          {wide}
          {children}
        </>
      )}
    </section>
  )
}
