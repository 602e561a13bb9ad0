import { ImapFlow, type FetchMessageObject } from 'imapflow'
import type { ImapSettings } from '../imap-settings.ts'
import { InboxFailure, type InboxMail, type MailInbox } from '../mail-inbox.ts'

/** The time-out of each step in milliseconds. */
export type ImapTimeouts = { readonly connectMs: number; readonly greetingMs: number; readonly silenceMs: number }

const TIMEOUTS: ImapTimeouts = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 60_000 }
const LOOPBACK = ['localhost', '127.0.0.1', '::1']

type Options = {
  /** Of a larger mail only the headers are read. */
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

const failureOf = (error: unknown): InboxFailure => {
  if (error instanceof InboxFailure) return error
  const found: Record<string, unknown> = typeof error === 'object' && error !== null ? { ...error } : {}
  if (found['authenticationFailed'] === true) return new InboxFailure('AUTH', { cause: error })
  const code = typeof found['code'] === 'string' && /^\w{1,40}$/.test(found['code']) ? found['code'] : 'UNKNOWN'
  return new InboxFailure(code, { cause: error })
}

const READ_PIECE = 1_024 * 1_024

/** The headers that a mail begins with; every server has this command, unlike reading a part of a mail. */
const sourceOf = async (client: ImapFlow, uid: number, isLarge: boolean): Promise<Uint8Array | undefined> => {
  const wish = isLarge ? { headers: true } : { source: true }
  const found = await client.fetchOne(String(uid), wish, { uid: true })
  if (found === false) return undefined
  return isLarge ? found.headers?.subarray(0, READ_PIECE) : found.source
}

/** A mailbox read by IMAP. Each visit is a connection of its own: nothing is kept of one that was lost. */
export function imapInbox(settings: ImapSettings, options: Options): MailInbox {
  const { host, port, username, folder } = settings
  const mailbox = `${username}@${host}:${port}/${folder}`
  // Mails that the server did not give: they come last, so that none of them keeps those behind it away.
  const ungiven = new Set<number>()
  const shown = async (client: ImapFlow, head: FetchMessageObject): Promise<InboxMail | undefined> => {
    const { uid, size = 0, internalDate } = head
    const source = await sourceOf(client, uid, size > options.maxBytes)
    if (source === undefined || client.mailbox === false) return undefined
    const { uidValidity } = client.mailbox
    const arrivedAtMs = new Date(internalDate ?? 0).getTime()
    return { mailbox, uidValidity, uid, size, arrivedAtMs, source }
  }
  return {
    visit: async (look) => {
      const client = clientFor(settings, options)
      const lost: unknown[] = []
      // An error of the connection is also that of the command that waits for it.
      client.on('error', (error) => lost.push(error))
      const onServer = <Result>(work: Promise<Result>): Promise<Result> =>
        work.catch((error: unknown) => Promise.reject(failureOf(lost[0] ?? error)))
      await onServer(client.connect())
      try {
        const lock = await onServer(client.getMailboxLock(folder))
        try {
          const uids = await onServer(client.search({ deleted: false }, { uid: true }))
          if (!uids) throw new InboxFailure('SEARCH')
          for (const uid of [...uids].sort((one, other) => Number(ungiven.has(one)) - Number(ungiven.has(other)))) {
            ungiven.add(uid)
            const head = await onServer(client.fetchOne(String(uid), { size: true, internalDate: true }, { uid: true }))
            // Somebody else removed it meanwhile.
            const mail = head && (await onServer(shown(client, head)))
            ungiven.delete(uid)
            if (mail && (await look(mail)) === 'remove') {
              await onServer(client.messageDelete(String(uid), { uid: true }))
            }
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
