import pg from 'pg'

export type ListenHandlers = {
  readonly onMessage: (payload: string) => void
  /** The connection stands, and did not stand before: notifications may have been missed. */
  readonly onGap: () => void
}

export type Listening = {
  /** Resolves once the channel is heard; rejects when the first connection failed. Another one is tried all the same. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

const RECONNECT_MS = 500
const TIMEOUT_MS = 5_000
/** A listening connection says nothing by itself: asked this often, one whose other end is gone is noticed. */
const PROBE_MS = 10_000

/** Hears a channel on a connection of its own, which is made anew as often as it is lost. */
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
    // A refused connection is told by its error and by its end: only the first is followed by another one.
    const lost = () => {
      if (!isCurrent()) return
      current = undefined
      clearTimeout(timer)
      timer = setTimeout(() => void connect().catch(() => {}), RECONNECT_MS)
      // Without waiting: the end of a connection to a server that is gone is never told.
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
  // Whoever does not wait for it is served by the next connection.
  ready.catch(() => {})
  return {
    ready,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await current?.end().catch(() => {})
    },
  }
}
