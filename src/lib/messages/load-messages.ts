import type { GlobalMessage, GlobalMessages } from '#contracts/http/global-message.ts'

const isMessage = (value: unknown): value is GlobalMessage =>
  value !== null &&
  typeof value === 'object' &&
  ['id', 'revision', 'severity', 'text'].every((name) => typeof Reflect.get(value, name) === 'string')

/**
 * Parses the response as far as possible. Its schema stays on the server, because every page of the site loads this
 * file.
 */
export const readAnswer = (value: unknown): GlobalMessages | null => {
  if (value === null || typeof value !== 'object' || !('messages' in value) || !Array.isArray(value.messages))
    return null
  const messages = value.messages.filter(isMessage)
  const reader = 'reader' in value && typeof value.reader === 'string' ? value.reader : null
  return { reader, messages }
}

/** Loads the messages for this reader; null when the site does not respond. */
export const loadMessages = async (locale: string): Promise<GlobalMessages | null> => {
  try {
    const answer = await fetch(`/api/global-message?locale=${locale}`, { credentials: 'same-origin' })
    return answer.ok ? readAnswer(await answer.json()) : null
  } catch {
    return null
  }
}

/** Tells the site that this reader dismissed a message. Without a response it stays dismissed in this browser only. */
export const tellDismissed = async ({ id, revision }: GlobalMessage): Promise<void> => {
  try {
    await fetch('/api/global-message/dismiss', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, revision }),
    })
  } catch {
    // The browser remembers it.
  }
}
