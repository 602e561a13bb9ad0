/** Replaces a secret in a text that others read. */
export const HIDDEN = '•••'

/** Commands of games and their plugins whose arguments are passwords. */
const SECRET_COMMANDS = new Set(
  (
    'login l register reg unregister authme changepassword changepw changepass cp setpassword password passwd pass ' +
    '2fa totp pin recovery sv_setsteamaccount setsteamaccount sv_licensekey rcon rcon_password sv_password'
  ).split(' '),
)

const SECRET_ENDS = /(?:password|passwd|passphrase|secret|token|apikey|accesskey|privatekey|licensekey|steamaccount)$/
const SECRET_NAMES = new Set(['pass', 'pwd', 'pw', 'rcon', 'gslt', 'otp'])

const isSecretName = (word: string): boolean => {
  const name = word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return SECRET_NAMES.has(name) || SECRET_ENDS.test(name)
}

/** Values that look like keys wherever they stand: web tokens, keys of known services, long runs of hexadecimal digits. */
const KEY_LIKE =
  /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*|\b(?:sk|pk|rk|ghp|gho|glpat|xox[abp])[-_][\w-]{10,}|\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}|\b[0-9a-f]{32,}\b/gi

const hideKeys = (line: string): string => line.replaceAll(KEY_LIKE, HIDDEN)

const WORD = /[^\s=:]+/g

/**
 * A console command without its secrets: nothing after a command or a word that names a secret is kept, because nobody
 * can tell where the value ends. Idempotent.
 */
export const commandWithoutSecrets = (line: string): string => {
  const [, start = '', command = ''] = /^(\s*\/*(?:[\w.-]+:)?([\w.-]+))/.exec(line) ?? []
  const rest = line.slice(start.length)
  if (SECRET_COMMANDS.has(command.toLowerCase()) && rest.trim() !== '') return `${start} ${HIDDEN}`
  for (const { 0: word, index } of line.matchAll(WORD)) {
    const end = index + word.length
    const sign = /^\s*[=:]?\s*/.exec(line.slice(end))?.[0] ?? ''
    if (isSecretName(word) && line.slice(end + sign.length).trim() !== '') {
      return `${hideKeys(line.slice(0, end))}${sign === '' ? ' ' : sign}${HIDDEN}`
    }
  }
  return hideKeys(line)
}
