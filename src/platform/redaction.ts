/** Replaces a secret in a log line. */
export const REDACTED = '[redacted]'

/**
 * Names of fields whose values are never logged, in any spelling (`accessToken`, `access_token`, `Set-Cookie`). This is
 * the one list: every logger of every program uses it.
 */
const SECRET_WORDS = [
  'password',
  'passphrase',
  'token',
  'secret',
  'secrets?key',
  'authorization',
  'cookie',
  'signature',
  'private_?key',
  'api_?key',
  'credential',
]
/** Whole names, which are harmless inside longer ones. */
const SECRET_NAMES = ['environment', 'database_?url', 'redis_?url', 'otp', 'pin']

const written = (words: readonly string[]) => words.map((word) => word.replaceAll('_?', '')).join('|')
const SECRET_FIELD = new RegExp(`(?:^password|(?:${written(SECRET_WORDS)})s?$|^(?:${written(SECRET_NAMES)})$)`)

const MAX_DEPTH = 8
const MAX_ITEMS = 200
/**
 * Logged fields of an error besides name, message and stack. Database errors also contain rows and values, which are
 * dropped.
 */
const ERROR_FIELDS = ['code', 'status', 'errno', 'syscall', 'address', 'port', 'constraint', 'table'] as const

/** Bounds the cache of field names, because logged objects may have arbitrary names. */
const MAX_KNOWN_NAMES = 2_000
const knownNames = new Map<string, boolean>()

/** Whether a field of this name holds a secret. */
export const isSecretField = (name: string): boolean => {
  const known = knownNames.get(name)
  if (known !== undefined) return known
  const isSecret = SECRET_FIELD.test(name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase())
  if (knownNames.size < MAX_KNOWN_NAMES) knownNames.set(name, isSecret)
  return isSecret
}

const URL_TEXT = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s"'<>`]+)/gi
const PATH_TEXT = /((?:^|[\s"'(=])\/[^\s"'<>?#]*)([?#][^\s"'<>]*)/g
const PARAMETER = /([?&#;]|^)([^=&#;]+)=([^&#;]*)/g
const HEADER = /\b((?:set-)?cookie|(?:proxy-)?authorization)(\s*[:=]\s*)(?!["'])[^\r\n]+/gi
const ASSIGNED = /\b([A-Za-z][\w-]*)(=|["']\s*:\s*["'])(?!\[redacted\])[^\s"',;&}\])]+/g
/** A word of a sentence, as in "Basic authentication", has no digit and no sign. */
const SCHEME_TEXT = /\b(Bearer|Basic)\s+(?=\S*[\d.+/=_-])[\w.~+/=-]{6,}/gi
const JSON_WEB_TOKEN = /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

/**
 * A query without the values of secret parameters; a fragment is removed whole, because links in our mails carry their
 * token there.
 */
const openTail = (tail: string): string => {
  const at = tail.indexOf('#')
  const query = (at < 0 ? tail : tail.slice(0, at)).replace(PARAMETER, (all, mark: string, name: string) =>
    isSecretField(name) || name === 'code' || name === 'ticket' ? `${mark}${name}=${REDACTED}` : all,
  )
  return at < 0 || at === tail.length - 1 ? query : `${query}#${REDACTED}`
}

const openUrl = (rest: string): string => {
  const tailAt = rest.search(/[?#]/)
  const place = tailAt < 0 ? rest : rest.slice(0, tailAt)
  const tail = tailAt < 0 ? '' : rest.slice(tailAt)
  return `${place.replace(/^([^/@:]*):[^/@]*@/, `$1:${REDACTED}@`)}${openTail(tail)}`
}

/** Texts that no pattern above can match, except the pattern of a JSON web token: most ids, paths and words. */
const PLAIN_TEXT = /^[\w./-]*$/

/**
 * A text without anything that looks like a secret: passwords and tokens in addresses, fragments, authorizations, keys.
 */
export const redactText = (text: string): string => {
  if (PLAIN_TEXT.test(text) && !text.includes('eyJ')) return text
  const plain = text
    .replace(PRIVATE_KEY, REDACTED)
    .replace(HEADER, `$1$2${REDACTED}`)
    .replace(SCHEME_TEXT, `$1 ${REDACTED}`)
    .replace(JSON_WEB_TOKEN, REDACTED)
    .replace(URL_TEXT, (_all, scheme: string, rest: string) => `${scheme}${openUrl(rest)}`)
    .replace(PATH_TEXT, (_all, path: string, tail: string) => `${path}${openTail(tail)}`)
  return plain.replace(ASSIGNED, (all, name: string, sign: string) =>
    isSecretField(name) ? `${name}${sign}${REDACTED}` : all,
  )
}

const redactError = (error: Error, depth: number, above: readonly object[]): Record<string, unknown> => {
  const fields: Record<string, unknown> = { type: error.name, message: redactText(error.message) }
  if (error.stack !== undefined) fields['stack'] = redactText(error.stack)
  for (const name of ERROR_FIELDS) {
    const value: unknown = (error as Error & Record<string, unknown>)[name]
    if (typeof value === 'string' || typeof value === 'number') fields[name] = value
  }
  if (error.cause !== undefined) fields['cause'] = redactAt(error.cause, depth + 1, [...above, error])
  if (error instanceof AggregateError) fields['errors'] = redactAt(error.errors, depth + 1, [...above, error])
  return fields
}

const redactAt = (value: unknown, depth: number, above: readonly object[]): unknown => {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value
  if (above.includes(value)) return '[circular]'
  if (depth > MAX_DEPTH) return '[deep]'
  if (value instanceof Error) return redactError(value, depth, above)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  const around = [...above, value]
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redactAt(item, depth + 1, around))
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      isSecretField(name) && held !== undefined && held !== null ? REDACTED : redactAt(held, depth + 1, around),
    ]),
  )
}

/** The fields of a log line with secrets redacted at any depth and errors as plain fields. */
export const redactFields = (fields: object): Record<string, unknown> =>
  redactAt(fields, 0, []) as Record<string, unknown>
