export interface Settings {
  dataDir: string
  host: string
  /** Whether mails leave through a mail server of the user's. */
  hasMailServer?: boolean
  /** Whether the agent's public listener has a certificate. */
  hasAgentTls?: boolean
  ports: Record<string, number>
  /** Ports for the servers of this machine, `first-last`. */
  gamePorts: string
  databaseUrl: string | undefined
  redisUrl: string | undefined
}
export const PORTS: Record<string, number>
export function settingsFrom(env: Record<string, string | undefined>): Settings
export function addressesOf(settings: Pick<Settings, 'host' | 'ports' | 'hasAgentTls'>): Record<string, string>
