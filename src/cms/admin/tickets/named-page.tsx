'use client'

import { Gutter, Link, useStepNav } from '@payloadcms/ui'
import { useEffect, type ReactNode } from 'react'
import { words } from '../../fields/languages.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { FIGURES_PATH, TICKET_CATEGORIES_PATH, TICKETS_PATH } from '../ticket-area.ts'
import { texts } from './ticket-words.ts'

const own = {
  pages: words('Pages about tickets', 'Oldalak a hibajegyekről', 'Seiten über Tickets'),
  queue: words('Queue', 'Várólista', 'Warteschlange'),
}

/** A page about tickets, named in the path above it and in the browser: the queue itself, or a page in or beside it. */
export const NamedPage = ({ below, children }: { readonly below?: string; readonly children: ReactNode }) => {
  const { say } = useAdminLanguage()
  const { setStepNav } = useStepNav()
  const queue = say(texts.tickets)
  useEffect(() => {
    setStepNav(below === undefined ? [{ label: queue }] : [{ label: queue, url: TICKETS_PATH }, { label: below }])
    document.title = `${below ?? queue} · Bakter`
  }, [setStepNav, queue, below])
  return <Gutter className="bakter-money bakter-tickets">{children}</Gutter>
}

const tabs = [
  { place: 'queue', path: TICKETS_PATH, name: own.queue },
  { place: 'figures', path: FIGURES_PATH, name: texts.figures },
  { place: 'categories', path: TICKET_CATEGORIES_PATH, name: texts.categories },
] as const

/** The pages of the ticket system, one beside the other. Saved replies are a list of the CMS without such a line: the menu alone leads there. */
export const TicketsTabs = ({ here }: { readonly here: 'queue' | 'figures' | 'categories' }) => {
  const { say } = useAdminLanguage()
  return (
    <nav aria-label={say(own.pages)} className="bakter-tabs">
      {tabs.map(({ place, path, name }) => (
        <Link key={place} href={path} prefetch={false} aria-current={here === place ? 'page' : undefined}>
          {say(name)}
        </Link>
      ))}
    </nav>
  )
}
