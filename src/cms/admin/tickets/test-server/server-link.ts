/** The id of a server's row beside its customer's ticket. */
export const serverAnchor = (serverId: string): string => `server-${serverId}`

/** Where staff see a server that a ticket names: administrators in its panel, support beside the ticket, because panels are closed to them. */
export const serverLink = (serverId: string, isAdmin: boolean): string =>
  isAdmin ? `/panel/${serverId}/console` : `#${serverAnchor(serverId)}`
