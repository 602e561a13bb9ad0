import type { ServerProps } from 'payload'
import { isBuilt } from '#contracts/features.ts'
import { hasStaffGrants } from '../../access/grants.ts'
import { TicketsNav } from './tickets-nav.tsx'

/** The menu of the ticket system, for all staff. */
export const TicketsMenu = ({ user }: Partial<ServerProps>) =>
  isBuilt('tickets') && hasStaffGrants(user) ? <TicketsNav /> : null
