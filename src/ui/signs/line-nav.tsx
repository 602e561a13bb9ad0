import clsx from 'clsx'
import type { ComponentType, ReactNode } from 'react'
import { Icon } from './icon.tsx'

export type LineStop = {
  id: string
  label: string
  href: string
  current?: boolean
  /** The stop whose branch is expanded, or whose sub-entry is current. */
  open?: boolean
  meta?: ReactNode
  /** A link that leaves the site opens a new tab and says so. */
  externalHint?: string
  stops?: readonly LineStop[]
}
export type LineGroup = { id: string; label?: string; stops: readonly LineStop[] }

type LinkProps = { href: string; children: ReactNode; [attribute: string]: unknown }
export type LinkComponent = ComponentType<LinkProps>

const PlainLink = ({ href, children, ...rest }: LinkProps) => (
  <a href={href} {...rest}>
    {children}
  </a>
)

const Stop = ({ stop, Link }: { stop: LineStop; Link: LinkComponent }) => {
  const LinkHere = stop.externalHint ? PlainLink : Link
  return (
    <li>
      <LinkHere
        href={stop.href}
        {...(stop.current ? { 'aria-current': 'page' } : {})}
        {...(stop.open ? { 'data-open': '' } : {})}
        {...(stop.externalHint ? { target: '_blank', rel: 'noopener' } : {})}
      >
        <i className="stop" />
        <span>
          {stop.label}
          {stop.externalHint ? <span className="vh"> {stop.externalHint}</span> : null}
        </span>
        {stop.meta === undefined ? null : <span className="meta">{stop.meta}</span>}
        {stop.externalHint ? (
          <span className="meta">
            <Icon name="external" size={15} />
          </span>
        ) : null}
      </LinkHere>
      {stop.stops && stop.stops.length > 0 ? (
        <ul className="branch">
          {stop.stops.map((inner) => (
            <Stop key={inner.id} stop={inner} Link={Link} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}

type LineNavProps = {
  label: string
  groups: readonly LineGroup[]
  /** The framework's link component; a plain anchor by default. */
  link?: LinkComponent
  dense?: boolean
  /** Staff menus are drawn as a double track. */
  double?: boolean
  className?: string
}

/** A menu as a line diagram: one rule through all stops, the current one filled, sub-entries on a branch. */
export const LineNav = ({
  label,
  groups,
  link = PlainLink,
  dense = false,
  double = false,
  className,
}: LineNavProps) => (
  <nav className={clsx('line', dense && 'line-dense', double && 'line-double', className)} aria-label={label}>
    {groups.map((group) => (
      <div key={group.id}>
        {group.label ? <p className="line-group">{group.label}</p> : null}
        <ul>
          {group.stops.map((stop) => (
            <Stop key={stop.id} stop={stop} Link={link} />
          ))}
        </ul>
      </div>
    ))}
  </nav>
)
