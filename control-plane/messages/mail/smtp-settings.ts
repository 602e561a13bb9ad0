import type { SettingsRow } from '#contracts/cms-api/rows.ts'
import { SealBroken } from '#platform/seal.ts'
import { openSecret, type SecretKey } from '#platform/sealed-secret.ts'
import { MailFailure } from './mail-transport.ts'

/** How the mail server is reached. Without a username nobody signs in. */
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

/** There is one such password: it is bound to no place. */
const PASSWORD_PLACE = 'settings.smtp_password:'

/**
 * The mail server that counts now: what staff entered in the admin, else what the environment names. Throws MailFailure when
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

/** The sender of a mail: the address that staff entered, else the name of the host at the site's own domain. */
export function senderOf(
  row: SettingsRow,
  { siteUrl, from }: { siteUrl: string; from: string | undefined },
): { name: string; address: string } {
  const { hostname } = new URL(siteUrl)
  // A mail from an IP address or a name without a dot goes nowhere; the demo has no better one.
  const domain = /^(?=.*\.[a-z])[a-z0-9.-]+$/i.test(hostname) ? hostname : 'bakter.test'
  return {
    name: oneLine(row.smtp_name || row.host_name),
    address: row.smtp_from || from || `noreply@${domain}`,
  }
}

/** Names of a host are entered by staff; in a header they are one line. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
