/** Connection settings of a mailbox. */
export type ImapSettings = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS. */
  readonly isSecure: boolean
  readonly username: string
  readonly password: string
  readonly folder: string
}

const DEFAULT_PORT = 143
const SECURE_PORT = 993

/** Reads `imaps://user:password@host:993/INBOX`, or `imap:` for STARTTLS; undefined for anything else. The folder is INBOX by default. */
export function imapSettingsFrom(address: string): ImapSettings | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, port, username, password, pathname } = new URL(address)
  const isSecure = protocol === 'imaps:'
  if ((protocol !== 'imap:' && !isSecure) || hostname === '' || username === '' || password === '') return undefined
  try {
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (isSecure ? SECURE_PORT : DEFAULT_PORT) : Number(port),
      isSecure,
      username: decodeURIComponent(username),
      password: decodeURIComponent(password),
      folder: decodeURIComponent(pathname.slice(1)) || 'INBOX',
    }
  } catch {
    return undefined
  }
}
