'use client'

import { Gutter, Link, useStepNav } from '@payloadcms/ui'
import { useEffect, type ReactNode } from 'react'
import { words } from '../../fields/languages.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { FIGURES_PATH, TICKETS_PATH } from '../ticket-area.ts'
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

/** The queue and the figures, one beside the other. */
export const TicketsTabs = ({ here }: { readonly here: 'queue' | 'figures' }) => {
  const { say } = useAdminLanguage()
  return (
    <nav aria-label={say(own.pages)} className="bakter-tabs">
      <Link href={TICKETS_PATH} prefetch={false} aria-current={here === 'queue' ? 'page' : undefined}>
        {say(own.queue)}
      </Link>
      <Link href={FIGURES_PATH} prefetch={false} aria-current={here === 'figures' ? 'page' : undefined}>
        {say(texts.figures)}
      </Link>
    </nav>
  )
}
