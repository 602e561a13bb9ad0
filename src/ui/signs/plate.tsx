import clsx from 'clsx'
import type { ReactNode } from 'react'

export type PlateSize = 'xs' | 's' | 'm' | 'l'

/** Identity of a server: its number (or up to three characters) in blue enamel. Sizes are 20, 24, 32 and 48 px. */
export const Plate = ({ children, size = 'm', label }: { children: ReactNode; size?: PlateSize; label?: string }) => (
  <span className={clsx('plate', size !== 'm' && `plate-${size}`)}>
    {label ? <span className="vh">{label} </span> : null}
    {children}
  </span>
)
