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
