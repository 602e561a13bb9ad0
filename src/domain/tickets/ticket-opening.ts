/**
 * The part of a request that makes it the same ticket: all but the look at the server, because a console has other lines whenever
 * its facts are looked at again.
 */
export const sameOpening = <Request extends { readonly server?: { readonly id: string } | undefined }>({
  server,
  ...request
}: Request): Omit<Request, 'server'> & { readonly server: string | undefined } => ({ ...request, server: server?.id })

/**
 * Whether somebody may open a ticket: an account without a confirmed e-mail address opens one and no more (clarifications part 3), because anybody
 * can make many of them.
 */
export const mayOpenTicket = ({
  isVerified,
  hasOpened,
}: {
  readonly isVerified: boolean
  readonly hasOpened: boolean
}): boolean => isVerified || !hasOpened
