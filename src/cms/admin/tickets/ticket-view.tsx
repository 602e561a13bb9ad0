import { notFound } from 'next/navigation.js'
import type { AdminViewServerProps } from 'payload'
import { isBuilt } from '#contracts/features.ts'
import { Id } from '#contracts/primitives.ts'
import { hasStaffGrants, isAdministrator } from '../../access/grants.ts'
import { FramedView } from '../framed-view.tsx'
import { isKnownTicket } from './access/is-known-ticket.ts'
import { staffCategories } from './staff-categories.ts'
import { TicketPage } from './ticket-page.tsx'

/** One ticket. The calls decide who sees it: to everybody else the page says that it does not exist. */
export const TicketView = async (view: AdminViewServerProps) => {
  const { req } = view.initPageResult
  const id = Id.safeParse(view.params?.segments?.[1])
  if (!isBuilt('tickets') || !hasStaffGrants(req.user) || !id.success) notFound()
  if (!(await isKnownTicket(req, id.data))) notFound()
  const categories = await staffCategories(req)
  return (
    <FramedView view={view}>
      <TicketPage key={id.data} id={id.data} categories={categories} isAdmin={isAdministrator(req.user)} />
    </FramedView>
  )
}
