/** Our mails begin with it: everything below is a quotation. It stands in a sentence of each language. */
export const CUT_MARK = '##-'

/** The part of a mail that its author wrote, and what is folded: the quoted mail and the signature. */
export type ReplyText = { readonly text: string; readonly quoted: string }

/** No line of an honest attribution is longer, and no pattern sees more. */
const LONGEST_LINE = 400

const ATTRIBUTIONS = [
  /^on\b.{5,300}\bwrote:$/i,
  /^am\b.{5,300}\bschrieb\b.{0,200}:$/i,
  /^-{2,}\s*(?:original message|ursprüngliche nachricht|eredeti üzenet|forwarded message)\s*-{2,}$/i,
]
/** Outlook's line, which people and logs draw too: the block that follows confirms it. */
const RULE = /^_{20,}$/
/** No signature is longer; below a longer part the two dashes are a line that somebody drew. */
const LONGEST_SIGNATURE = 6
/** Hungarian programs name the person first, so a line of text before it must not belong to it. */
const NAMED_FIRST = /(?:^|\s)írta\b.{0,200}:$/i

/** The first line of a quoted block of Outlook, which the second confirms. */
const FROM_LINE = /^(?:from|von|feladó):\s*\S/i
const SENT_LINE = /^(?:sent|date|gesendet|datum|küldve|dátum|to|an|címzett):\s*\S/i
const isQuoted = (line: string): boolean => /^\s?>/.test(line)

/** An attribution may be broken into up to three lines. */
const isAttribution = (lines: readonly string[], at: number): boolean => {
  const first = (lines[at] ?? '').trim()
  if (first === '' || first.length > LONGEST_LINE) return false
  if (RULE.test(first)) return lines.slice(at + 1, at + 4).some((line) => FROM_LINE.test(line.trim()))
  if (FROM_LINE.test(first) && [1, 2].some((next) => SENT_LINE.test((lines[at + next] ?? '').trim()))) return true
  const joined = [1, 2, 3].map((count) =>
    lines
      .slice(at, at + count)
      .map((line) => line.trim())
      .join(' ')
      .slice(0, LONGEST_LINE),
  )
  if (NAMED_FIRST.test(first) || (first.includes('@') && NAMED_FIRST.test(joined[1] ?? ''))) return true
  return joined.some((text) => ATTRIBUTIONS.some((pattern) => pattern.test(text)))
}

/** From which line on what is left is short enough for a signature. Each line is looked at once: a mail may have a hundred thousand. */
const signatureReach = (lines: readonly string[]): number => {
  let [at, words] = [lines.length, 0]
  while (at > 0) {
    if ((lines[at - 1] ?? '').trim() !== '') words += 1
    if (words > LONGEST_SIGNATURE) break
    at -= 1
  }
  return at
}

/** Whether somebody wrote between and below the lines that they quote: then the quotation belongs to what they say. */
const isAnsweredInside = (lines: readonly string[]): boolean => {
  const first = lines.findIndex(isQuoted)
  const end = lines.findIndex((line) => line === '-- ')
  const rest = first === -1 ? [] : lines.slice(first, end === -1 ? lines.length : end)
  return rest.some((line) => !isQuoted(line) && line.trim() !== '') && !lines.some((line) => line.includes(CUT_MARK))
}

/** Where the quoted rest begins; the number of lines if there is none. */
const quoteStart = (lines: readonly string[]): number => {
  const cut = lines.findIndex((line) => line.includes(CUT_MARK))
  const end = cut === -1 ? lines.length : cut
  const reach = signatureReach(lines)
  for (let at = 0; at < end; at += 1) {
    if (lines[at] === '-- ' || (lines[at] === '--' && at + 1 >= reach)) return at
    if (!isAttribution(lines, at)) continue
    // An attribution introduces a quotation: people also write such sentences.
    const next = lines.slice(at + 1, at + 6)
    const isOutlook = FROM_LINE.test((lines[at] ?? '').trim()) || /^[-_]{2}/.test((lines[at] ?? '').trim())
    if (isOutlook || cut !== -1 || next.some(isQuoted)) return at
  }
  let last = end
  while (last > 0 && (isQuoted(lines[last - 1] ?? '') || (lines[last - 1] ?? '').trim() === '')) last -= 1
  return lines.slice(last, end).some(isQuoted) ? last : end
}

const joined = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()

/**
 * Parts what somebody wrote in a mail from what their program quoted and signed (clarifications part 6: folded, not
 * lost). A reply below the quotation is understood too; if nothing remains, everything is text.
 */
export const replyText = (mail: string): ReplyText => {
  const lines = mail.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')
  const start = quoteStart(lines)
  const [text, quoted] = [joined(lines.slice(0, start)), joined(lines.slice(start))]
  const isWritten = /\S/.test(text.replaceAll(/^\s?>.*$/gm, ''))
  if (isWritten && isAnsweredInside(lines.slice(start))) return { text: joined(lines), quoted: '' }
  if (isWritten) return { text, quoted }
  const below = joined(
    lines.filter((line, at) => !isQuoted(line) && !isAttribution(lines, at) && !line.includes(CUT_MARK)),
  )
  return /\S/.test(below)
    ? { text: below, quoted: joined(lines.filter(isQuoted)) }
    : { text: joined(lines), quoted: '' }
}
