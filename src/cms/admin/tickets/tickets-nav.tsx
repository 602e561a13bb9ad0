'use client'

import { Link, NavGroup } from '@payloadcms/ui'
import { usePathname } from 'next/navigation.js'
import { groups } from '../../fields/labels.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { CANNED_REPLIES_PATH, TICKET_CATEGORIES_PATH, TICKETS_PATH } from '../ticket-area.ts'
import { texts } from './ticket-words.ts'

const entries = [
  { path: TICKETS_PATH, name: texts.tickets },
  { path: CANNED_REPLIES_PATH, name: texts.savedReplies },
  { path: TICKET_CATEGORIES_PATH, name: texts.categories },
]

/** The group in the menu, in Payload's own style. */
export const TicketsNav = () => {
  const { say } = useAdminLanguage()
  const here = usePathname()
  return (
    <NavGroup label={say(groups.tickets)}>
      {entries.map(({ path, name }) => {
        const label = <span className="nav__link-label">{say(name)}</span>
        return here === path ? (
          <div key={path} className="nav__link" aria-current="page">
            <div className="nav__link-indicator" />
            {label}
          </div>
        ) : (
          <Link key={path} className="nav__link" href={path} prefetch={false}>
            {label}
          </Link>
        )
      })}
    </NavGroup>
  )
}
