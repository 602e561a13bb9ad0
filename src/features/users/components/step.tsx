import clsx from 'clsx'
import type { ReactNode } from 'react'
import { Icon } from '@/ui/signs/icon.tsx'

type Props = { state: 'on' | 'done' | 'ahead'; title: ReactNode; end?: ReactNode; children?: ReactNode }

/** A stop of the form's line; the current one is open. */
export const Step = ({ state, title, end, children }: Props) => (
  <li className={clsx(state !== 'ahead' && `stepline__${state}`)}>
    <h2>
      <i className="halt">{state === 'done' ? <Icon name="check" size={12} /> : null}</i>
      {title}
      {end}
    </h2>
    {children === undefined ? null : <div className="stepline__in">{children}</div>}
  </li>
)
