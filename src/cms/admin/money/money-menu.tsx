import type { ServerProps } from 'payload'
import { isAdministrator } from '../../access/grants.ts'
import { MoneyNav } from './money-nav.tsx'

/** The menu of money pages, for administrators only. */
export const MoneyMenu = ({ user }: Partial<ServerProps>) => (isAdministrator(user) ? <MoneyNav /> : null)
