import type { SettingsRow } from '#contracts/cms-api/rows.ts'
import { SealBroken } from '#platform/seal.ts'
import { openSecret, type SecretKey } from '#platform/sealed-secret.ts'
import { MailFailure } from './mail-transport.ts'

/** Connection settings of the mail server. Without a username there is no authentication. */
export type SmtpSettings = {
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  readonly password: string | undefined
}

const DEFAULT_PORT = 587
const SECURE_PORT = 465

/** Reads `smtp://user:password@host:port`, or `smtps:` for TLS from the first byte; undefined for anything else. */
export function smtpSettingsFrom(address: string): SmtpSettings | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, port, username, password } = new URL(address)
  if ((protocol !== 'smtp:' && protocol !== 'smtps:') || hostname === '') return undefined
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'smtps:' ? SECURE_PORT : DEFAULT_PORT) : Number(port),
    username: username === '' ? undefined : decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
  }
}

/** There is only one such password, so it is not bound to a row. */
const PASSWORD_PLACE = 'settings.smtp_password:'

/**
 * The current mail server: the one in the admin's settings, else the one in the environment. Throws MailFailure when
 * the stored password does not open.
 */
export async function chooseSmtp(
  row: SettingsRow,
  { environment, keys }: { environment: SmtpSettings | undefined; keys: readonly SecretKey[] },
): Promise<SmtpSettings | undefined> {
  if (!row.smtp_host) return environment
  return {
    host: row.smtp_host,
    port: row.smtp_port ?? DEFAULT_PORT,
    username: row.smtp_username || undefined,
    password: row.smtp_password_sealed ? await openPassword(row.smtp_password_sealed, keys) : undefined,
  }
}

async function openPassword(sealed: string, keys: readonly SecretKey[]): Promise<string> {
  try {
    return openSecret(sealed, { keys, place: PASSWORD_PLACE }).toString('utf8')
  } catch (error) {
    if (error instanceof SealBroken) throw new MailFailure('configuration', 'PASSWORD_SEALED', { cause: error })
    throw error
  }
}

/** The sender of a mail: the address in the settings, else the host's name at the site's own domain. */
export function senderOf(
  row: SettingsRow,
  { siteUrl, from }: { siteUrl: string; from: string | undefined },
): { name: string; address: string } {
  const { hostname } = new URL(siteUrl)
  // Mail from an IP address or a name without a dot is not deliverable; the demo has no better one.
  const domain = /^(?=.*\.[a-z])[a-z0-9.-]+$/i.test(hostname) ? hostname : 'bakter.test'
  return {
    name: oneLine(row.smtp_name || row.host_name),
    address: row.smtp_from || from || `noreply@${domain}`,
  }
}

/** Staff enter the host's name; in a header it must be one line. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
