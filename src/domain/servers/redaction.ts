/** What stands in a log for something that was taken out. The words are a log's own, the same in every language. */
export const LOG_MARKS = { address: '[ip]', mail: '[e-mail]', token: '[token]' } as const

/** Colours of a terminal and of Minecraft. They stick to the text beside them, so each piece between two is read alone. */
const COLOUR = new RegExp(String.raw`(${String.fromCharCode(27)}\[[\d;?]*[A-Za-z]|§[\da-fk-orx])`, 'i')

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|0?\d?\d)`
/** Four numbers, but no part of a longer version such as 1.2.3.4.5. */
const IPV4 = new RegExp(String.raw`(?<!\d)(?<!\d\.)(?:${OCTET}\.){3}${OCTET}(?!\d|\.\d)`, 'g')
/** Everything that may be an IPv6 address; `isIpv6` decides, because a time of day has colons too. */
const MAYBE_IPV6 = /(?<![\w:])[\da-f:]*:[\da-f:]*:[\da-f:]*(?![\w:])/gi
const MAX_GROUPS = 8

const MAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu

const TOKENS: readonly RegExp[] = [
  // A JSON web token.
  /eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g,
  // A bot of Discord: the account, the time and the signature.
  /(?<![\w-])[\w-]{23,}\.[\w-]{5,8}\.[\w-]{27,}/g,
  // The secret part of a Discord webhook.
  /(?<=\/api\/webhooks\/\d{5,25}\/)[\w-]{20,}/g,
  // Keys that name their maker: payment, FiveM, GitHub.
  /(?<![A-Za-z\d])(?:sk|pk|rk|cfxk|gh[oprsu])_[\w-]{8,}/g,
  /[\da-f]{32,}/gi,
]

const isGroup = (text: string): boolean => /^[\da-f]{1,4}$/i.test(text)

const isIpv6 = (text: string): boolean => {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  if (halves.length === 2) return groups.length > 0 && groups.length < MAX_GROUPS && groups.every(isGroup)
  // Java writes the port after one more colon.
  const isPort = groups.length === MAX_GROUPS + 1 && /^\d{1,5}$/.test(groups[MAX_GROUPS] ?? '')
  return (groups.length === MAX_GROUPS || isPort) && groups.slice(0, MAX_GROUPS).every(isGroup)
}

const withoutTokens = (text: string): string =>
  TOKENS.reduce((open, token) => open.replace(token, LOG_MARKS.token), text)

/** What is taken out may have hidden the beginning of its neighbour, so the rest is read until nothing changes. */
const redactPiece = (piece: string): string => {
  const open = withoutTokens(piece)
    .replace(MAIL, LOG_MARKS.mail)
    .replace(IPV4, LOG_MARKS.address)
    .replace(MAYBE_IPV6, (text) => (isIpv6(text) ? LOG_MARKS.address : text))
  return open === piece ? piece : redactPiece(open)
}

/**
 * A server's log without what identifies a person or opens a door: IPv4 and IPv6 addresses, mail addresses and tokens.
 * Names of players stay. The text may have many lines; a repetition changes nothing.
 */
export const redactLog = (text: string): string =>
  text
    .split(COLOUR)
    .map((piece, index) => (index % 2 === 1 ? piece : redactPiece(piece)))
    .join('')
