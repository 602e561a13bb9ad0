'use client'

import { Gutter, useStepNav } from '@payloadcms/ui'
import { useEffect, type ReactNode } from 'react'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { TICKETS_PATH } from '../ticket-area.ts'
import { texts } from './ticket-words.ts'

/** A page about tickets, named in the path above it and in the browser: the queue itself, or a ticket in it. */
export const NamedPage = ({ ticket, children }: { readonly ticket?: string; readonly children: ReactNode }) => {
  const { say } = useAdminLanguage()
  const { setStepNav } = useStepNav()
  const queue = say(texts.tickets)
  useEffect(() => {
    setStepNav(ticket === undefined ? [{ label: queue }] : [{ label: queue, url: TICKETS_PATH }, { label: ticket }])
    document.title = `${ticket ?? queue} · Bakter`
  }, [setStepNav, queue, ticket])
  return <Gutter className="bakter-money bakter-tickets">{children}</Gutter>
}
