import { CONSOLE_CUT } from './console-cut.ts'

/**
 * The word that stands in a log for something that was taken out. The words are a log's own, the same in every
 * language.
 */
export const LOG_MARKS = { address: '[ip]', mail: '[e-mail]', token: '[token]' } as const

/** Colours of a terminal and of Minecraft. They stick to the text beside them, so each piece between two is read alone. */
const COLOUR = new RegExp(String.raw`(${String.fromCharCode(27)}\[[\d;?]*[A-Za-z]|§[\da-fk-orx])`, 'i')

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|0?\d?\d)`
/** Four numbers, but no part of a longer version such as 1.2.3.4.5. */
const IPV4 = new RegExp(String.raw`(?<!\d)(?<!\d\.)(?:${OCTET}\.){3}${OCTET}(?!\d|\.\d)`, 'g')
/** Everything that may be an IPv6 address; `isIpv6` decides, because a time of day and a number are made of these too. */
const MAYBE_IPV6 = /(?<![\w:])[\da-f:]+(?![\w:])/gi
const MAX_GROUPS = 8

const MAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu

const TOKENS: readonly RegExp[] = [
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

/** The run before the full stop is read once; only a run with one is searched for the beginning of a JSON web token. */
const WEB_TOKEN = /(?<![\w-])(?=[\w-]+\.[\w-])([\w-]*?)eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g

const withoutTokens = (text: string): string =>
  TOKENS.reduce(
    (open, token) => open.replace(token, LOG_MARKS.token),
    text.replace(WEB_TOKEN, (_, before: string) => before + LOG_MARKS.token),
  )

const redactOnce = (piece: string): string =>
  withoutTokens(piece)
    .replace(MAIL, LOG_MARKS.mail)
    .replace(IPV4, LOG_MARKS.address)
    .replace(MAYBE_IPV6, (text) => (isIpv6(text) ? LOG_MARKS.address : text))

/** Nothing that is taken out has a space in it, so each word is read for itself. */
const WORDS = /(\s+)/
/** A word of a log settles after two or three. One that does not is made to keep its reader busy, and all of it goes. */
const ROUNDS = 6

/** A secret may have hidden the beginning of its neighbour, so the rest is read until nothing changes. */
const redactPiece = (piece: string): string => {
  let open = piece
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = open
    open = redactOnce(before)
    if (open === before) return open
  }
  return open
    .split(WORDS)
    .map((word) => (redactOnce(word) === word ? word : LOG_MARKS.token))
    .join('')
}

/**
 * A server's log without what identifies a person or opens a door: IPv4 and IPv6 addresses, mail addresses and tokens.
 * Names of players stay. The text may have many lines; a repetition changes nothing. The work grows with the length of the text and no faster:
 * each pattern begins at the edge of a run, reads the run once, and has one way to divide it.
 */
export const redactLog = (text: string): string =>
  text
    .split(COLOUR)
    .map((piece, index) => (index % 2 === 1 ? piece : redactPiece(piece)))
    .join('')

/**
 * A line that may have been cut at `length` units without its last word: half an address or half a key looks like nothing that has to be taken out.
 * So it is with the words at the marks of a node that has cut the line before. A sign stands for each of these words.
 */
export const withoutCutWord = (line: string, length: number): string => {
  const whole = line.replace(CUT_BEGINNING, CUT).replace(CUT_END, CUT)
  return whole.length < length || /\s$/.test(whole.slice(0, length))
    ? whole.slice(0, length)
    : `${whole.slice(0, length).replace(/(?<!\S)\S+$/, '')}${CUT}`
}
const CUT = '…'
/** A shared line has its time in front of the mark. */
const CUT_BEGINNING = new RegExp(String.raw`(?<!\S)${CONSOLE_CUT}\S*`, 'g')
const CUT_END = new RegExp(String.raw`(?<!\S)\S*${CONSOLE_CUT}$`)
