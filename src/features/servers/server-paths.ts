export const consolePath = (server: { id: string }): string => `/panel/${server.id}/console`

/** Where the owner renews a server. */
export const renewPath = (server: { id: string }): string => `/panel/${server.id}/settings`
