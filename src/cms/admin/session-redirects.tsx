import { redirect } from 'next/navigation.js'
import type { AdminViewServerProps } from 'payload'
import { TICKETS_PATH } from './ticket-area.ts'

const adminPath = /^\/admin(\/[\w\-.~%]+)*(\?[\w\-=&.~%[\]]*)?$/

/** The login redirect of a visitor without a session; it accepts only paths of the admin itself. */
export const loginAddress = (asked: unknown): string => {
  const next = typeof asked === 'string' && adminPath.test(asked) && !asked.includes('..') ? asked : '/admin'
  return `/auth/login?next=${encodeURIComponent(next)}`
}

/** Replaces Payload's own form, which knows no passwords. */
export const LoginRedirect = ({ searchParams }: AdminViewServerProps): never =>
  redirect(loginAddress(searchParams?.redirect))

export const LogoutRedirect = (): never => redirect('/auth/logout')

export const ForgotRedirect = (): never => redirect('/auth/passwordreset')

/** Redirects an account without a staff role to its own part of the site. */
export const UnauthorizedRedirect = (): never => redirect('/dashboard/summary')

/** A ticket's address without an id leads staff to the queue. */
export const QueueRedirect = (): never => redirect(TICKETS_PATH)

/** The specification's short address of the votings. */
export const VotingsRedirect = (): never => redirect('/admin/collections/votings')
