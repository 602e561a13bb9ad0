import { ImapFlow } from 'imapflow'
import type { ImapSettings } from '../imap-settings.ts'
import { InboxFailure, type InboxMail, type MailInbox, type MailPlace } from '../mail-inbox.ts'

/** The time-out of each step in milliseconds. While somebody looks at a mail, the server is spoken to every `aliveMs`. */
export type ImapTimeouts = {
  readonly connectMs: number
  readonly greetingMs: number
  readonly silenceMs: number
  readonly aliveMs: number
}

const TIMEOUTS: ImapTimeouts = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 60_000, aliveMs: 20_000 }
const LOOPBACK = ['localhost', '127.0.0.1', '::1']

type Options = {
  /** A larger mail is read up to the end of its headers only. */
  readonly maxBytes: number
  readonly timeouts?: ImapTimeouts
  /** Certificates to trust besides the system's, in PEM format. */
  readonly ca?: string
}

const NO_LOG = { debug() {}, info() {}, warn() {}, error() {} }

// A mail server on this machine needs no encryption; with every other the password is sent under TLS alone.
const clientFor = (settings: ImapSettings, { timeouts = TIMEOUTS, ca }: Options): ImapFlow => {
  const { host, port, isSecure: secure, username: user, password: pass } = settings
  return new ImapFlow({
    host,
    port,
    secure,
    ...(secure ? {} : { doSTARTTLS: !LOOPBACK.includes(host) }),
    auth: { user, pass },
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.silenceMs,
    // The library logs addresses and subjects.
    logger: NO_LOG,
    disableAutoIdle: true,
    maxLiteralSize: 64 * 1_024 * 1_024,
  })
}

const failureOf = (error: unknown, isLost: boolean): InboxFailure => {
  if (error instanceof InboxFailure) return error
  const found: Record<string, unknown> = typeof error === 'object' && error !== null ? { ...error } : {}
  if (found['authenticationFailed'] === true) return new InboxFailure('AUTH', { cause: error })
  const said = found['code'] ?? found['responseStatus']
  const code = typeof said === 'string' && /^\w{1,40}$/.test(said) ? said : 'UNKNOWN'
  return new InboxFailure(code, { cause: error, isLost })
}

const READ_PIECE = 1_024 * 1_024

/** The headers that a mail begins with; every server has this command, unlike reading a part of a mail. */
const sourceOf = async (client: ImapFlow, uid: number, isLarge: boolean): Promise<Uint8Array | undefined> => {
  const wish = isLarge ? { headers: true } : { source: true }
  const found = await client.fetchOne(String(uid), wish, { uid: true })
  if (found === false) return undefined
  return isLarge ? found.headers?.subarray(0, READ_PIECE) : found.source
}

/**
 * Runs what takes its time without the server, as a virus scan of ten files. A connection on which nothing is said is ended, and the mail behind would
 * count as one that the server does not give.
 */
async function keptAlive<Result>(client: ImapFlow, aliveMs: number, work: () => Promise<Result>): Promise<Result> {
  // The next command says as well that the connection is gone.
  const timer = setInterval(() => void client.noop().catch(() => {}), aliveMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** The server answers, but without the mail. */
const notGiven = () => new InboxFailure('EMPTY', { isLost: false })

/** A mailbox read by IMAP. Each visit is a connection of its own: nothing is kept of one that was lost. */
export function imapInbox(settings: ImapSettings, options: Options): MailInbox {
  const { host, port, username, folder } = settings
  const { aliveMs } = options.timeouts ?? TIMEOUTS
  const mailbox = `${username}@${host}:${port}/${folder}`
  const fetched = async (client: ImapFlow, place: MailPlace): Promise<InboxMail> => {
    const head = await client.fetchOne(String(place.uid), { size: true, internalDate: true }, { uid: true })
    if (head === false) throw notGiven()
    const { size = 0, internalDate } = head
    const source = await sourceOf(client, place.uid, size > options.maxBytes)
    if (source === undefined) throw notGiven()
    return { ...place, size, arrivedAtMs: new Date(internalDate ?? 0).getTime(), source }
  }
  return {
    visit: async (look) => {
      const client = clientFor(settings, options)
      const lost: unknown[] = []
      // An error of the connection is also that of the command that waits for it.
      client.on('error', (error) => lost.push(error))
      const onServer = <Result>(work: Promise<Result>): Promise<Result> =>
        work.catch((error: unknown) => Promise.reject(failureOf(lost[0] ?? error, lost.length > 0 || !client.usable)))
      await onServer(client.connect())
      try {
        const lock = await onServer(client.getMailboxLock(folder))
        try {
          const uids = await onServer(client.search({ deleted: false }, { uid: true }))
          if (!uids || client.mailbox === false) throw new InboxFailure('SEARCH')
          const { uidValidity } = client.mailbox
          for (const uid of uids) {
            const place = { mailbox, uidValidity, uid }
            const mail = { ...place, fetch: () => onServer(fetched(client, place)) }
            const after = await keptAlive(client, aliveMs, () => look(mail))
            if (after === 'remove') await onServer(client.messageDelete(String(uid), { uid: true }))
          }
        } finally {
          lock.release()
        }
      } finally {
        await client.logout().catch(() => client.close())
      }
    },
  }
}
