type Named = { name: string; identifier: string }

const longestPlate = 3

/**
 * The text on a server's plate: the initials of its name's words with whole numbers ("Kisváros RP" becomes KR, "web-01"
 * W1), for a single word its first two letters. For a name without letters and digits, the first three of the
 * identifier.
 */
export const plateText = ({ name, identifier }: Named): string => {
  const parts = name.normalize('NFC').match(/\p{L}[\p{L}\p{M}]*|\p{Nd}+/gu) ?? []
  const [first] = parts
  if (first === undefined) return identifier.slice(0, longestPlate).toUpperCase()
  const short = (part: string) => (/^\p{Nd}/u.test(part) ? part.replace(/^0+(?=.)/, '') : ([...part][0] ?? ''))
  const text =
    parts.length === 1 && !/^\p{Nd}/u.test(first) ? [...first].slice(0, 2).join('') : parts.map(short).join('')
  return [...text.toLocaleUpperCase()].slice(0, longestPlate).join('')
}

/** The full address for players; a server without a port has none yet. */
export const serverAddress = (server: { ip: string; port: number | null }): string | null =>
  server.port === null || server.ip === ''
    ? null
    : `${server.ip.includes(':') ? `[${server.ip}]` : server.ip}:${server.port}`
