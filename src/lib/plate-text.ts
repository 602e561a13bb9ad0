/** What stands on a server's plate: the first three characters of its identifier, which never changes and is never reused. */
export const plateText = (identifier: string): string => identifier.slice(0, 3).toUpperCase()

/** The address that players type, always in full; a server without a port has none yet. */
export const serverAddress = (server: { ip: string; port: number | null }): string | null =>
  server.port === null || server.ip === ''
    ? null
    : `${server.ip.includes(':') ? `[${server.ip}]` : server.ip}:${server.port}`
