import pg from 'pg'

export type ListenHandlers = {
  readonly onMessage: (payload: string) => void
  /** The connection is up again after a gap: notifications may have been missed. */
  readonly onGap: () => void
}

export type Listening = {
  /**
   * Resolves once the channel is listened to; rejects when the first connection failed, while reconnecting continues.
   */
  readonly ready: Promise<void>
  close(): Promise<void>
}

/** How long the end of a connection is awaited. */
const CLOSE_MS = 1_000
const RECONNECT_MS = 500
const TIMEOUT_MS = 5_000
/** A listening connection is silent: this probe detects a peer that is gone. */
const PROBE_MS = 10_000

/** Listens to a channel on a separate connection, which is reopened whenever it is lost. */
export const listenOn = (url: string, channel: string, { onMessage, onGap }: ListenHandlers): Listening => {
  let isClosed = false
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: `listen:${channel}`,
      keepAlive: true,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    })
    const isCurrent = () => !isClosed && current === client
    // A refused connection reports both an error and an end: only the first opens another one.
    const lost = () => {
      if (!isCurrent()) return
      current = undefined
      clearTimeout(timer)
      timer = setTimeout(() => void connect().catch(() => {}), RECONNECT_MS)
      // Not awaited: a connection to a dead server never reports its end.
      void client.end().catch(() => {})
    }
    const probe = async (): Promise<void> => {
      await client.query('select 1')
      if (isCurrent()) timer = setTimeout(() => void probe().catch(lost), PROBE_MS)
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => isCurrent() && onMessage(payload ?? ''))
    current = client
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      lost()
      throw error
    }
    if (isCurrent()) onGap()
    void probe().catch(lost)
  }
  const ready = connect()
  // A caller that does not await `ready` is served by the next connection.
  ready.catch(() => {})
  return {
    ready,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      // A connection to a dead server never reports its end.
      const late = new Promise<void>((done) => void setTimeout(done, CLOSE_MS).unref())
      await Promise.race([current?.end().catch(() => {}), late])
    },
  }
}
