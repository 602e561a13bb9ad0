/** See embedded-postgres.mjs. */
export interface EmbeddedPostgresOptions {
  dataDir: string
  port: number
  password: string
  logFile: string
  durable?: boolean
  graceMs?: number
  settings?: Record<string, string | number>
}

export interface EmbeddedPostgres {
  /** True if this start created the data folder. */
  isNew: boolean
  port: number
  pid: number
  /** Connection string of a database on this server. */
  url(database: string): string
  /** Resolves when the server has ended, for whatever reason. */
  ended: Promise<unknown>
  stop(): Promise<void>
}

export function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres>
