'use client'

import { useState } from 'react'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { CustomerPanel } from './customer-panel.tsx'
import { EarlierTickets, useOthers } from './earlier-tickets.tsx'
import { PeoplePanel } from './people-panel.tsx'
import { useAccount, useCustomer } from './use-customer.ts'

type Props = { readonly ticket: Ticket; readonly isAdmin: boolean; readonly reload: () => Promise<unknown> }

/** Whether all that has a height of its own was read, or failed to be. Parts that have appeared stay. */
const useHasAppeared = ({ id, opener }: Ticket): boolean => {
  const parts = [useAccount(opener.id), useCustomer(id), useOthers({ id, opener })]
  const [hasAppeared, setAppeared] = useState(false)
  const isSettled = parts.every(({ data, isError }) => data !== undefined || isError)
  if (isSettled && !hasAppeared) setAppeared(true)
  return hasAppeared
}

/** The customer beside their ticket. Its parts appear together, so that none pushes another one down. */
export const StaffAside = ({ ticket, isAdmin, reload }: Props) => {
  const { say } = useAdminLanguage()
  const hasAppeared = useHasAppeared(ticket)
  return (
    <aside data-waiting={!hasAppeared}>
      {hasAppeared ? null : <p role="status">{say(common.loading)}</p>}
      <CustomerPanel ticket={ticket} isAdmin={isAdmin} reload={reload} />
      <EarlierTickets ticket={ticket} />
      {ticket.mergedInto === undefined ? <PeoplePanel ticket={ticket} isAdmin={isAdmin} reload={reload} /> : null}
    </aside>
  )
}
