import { redirect } from 'next/navigation.js'
import type { AdminViewServerProps } from 'payload'

const adminPath = /^\/admin(\/[\w\-.~%]+)*(\?[\w\-=&.~%[\]]*)?$/

/** Where the admin sends a visitor without a session; only paths of the admin itself may be asked for. */
export const loginAddress = (asked: unknown): string => {
  const next = typeof asked === 'string' && adminPath.test(asked) && !asked.includes('..') ? asked : '/admin'
  return `/auth/login?next=${encodeURIComponent(next)}`
}

/** In place of Payload's own form, which would know no password. */
export const LoginRedirect = ({ searchParams }: AdminViewServerProps): never =>
  redirect(loginAddress(searchParams?.redirect))

export const LogoutRedirect = (): never => redirect('/auth/logout')

export const ForgotRedirect = (): never => redirect('/auth/passwordreset')

/** An account without a staff role is sent back to its own part of the site. */
export const UnauthorizedRedirect = (): never => redirect('/dashboard/summary')
