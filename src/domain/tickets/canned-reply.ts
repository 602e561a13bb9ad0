/** The facts that a canned reply can leave to be filled in, written as `{{customer}}`. */
export const REPLY_PLACEHOLDERS = ['customer', 'ticket', 'title', 'category', 'server', 'staff'] as const
export type ReplyPlaceholder = (typeof REPLY_PLACEHOLDERS)[number]

/** The values of a ticket; one that has none, or more than one, is null and stays for whoever sends the reply. */
export type ReplyValues = Readonly<Record<ReplyPlaceholder, string | null>>

const PLACE = /\{\{([^{}]*)\}\}/g
const isKnown = (name: string): name is ReplyPlaceholder => REPLY_PLACEHOLDERS.some((each) => each === name)

/**
 * Texts in double braces that are no placeholder, as they are written; braces that do not close are one too. Each once.
 */
export const unknownPlaceholders = (text: string): readonly string[] => {
  const named = [...text.matchAll(PLACE)].filter(([, name = '']) => !isKnown(name.trim())).map(([written]) => written)
  const rest = text.replaceAll(PLACE, '')
  return [...new Set([...named, ...(rest.match(/\{\{|\}\}/g) ?? [])])]
}

/** The reply with its placeholders filled in, each once: what a value holds is never a placeholder. Those without a value stay. */
export const filledReply = (text: string, values: ReplyValues): string =>
  text.replaceAll(
    PLACE,
    (written, name: string) => (isKnown(name.trim()) && values[name.trim() as ReplyPlaceholder]) || written,
  )

/** The placeholders that a text still has, as they are written, each once. A customer never reads one. */
export const openPlaceholders = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(PLACE)].filter(([, name = '']) => isKnown(name.trim())).map(([written]) => written)),
]
