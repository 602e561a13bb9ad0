/** A message in the response of `GET /api/global-message`. */
export type ShownMessage = {
  readonly id: string
  readonly revision: string
  readonly severity: 'info' | 'warning' | 'error'
  readonly text: string
}
/** `reader` is the account whose dismissals count; null stands for visitors who are not signed in. */
export type MessageAnswer = { readonly reader: string | null; readonly messages: readonly ShownMessage[] }

/** The used part of the browser's storage. A browser without storage forgets dismissals with the page. */
export type Keep = { get: (key: string) => string | null; set: (key: string, value: string) => void }

const mostRemembered = 50
const keyOf = (reader: string | null) => `bakter:dismissed:${reader ?? 'public'}`
const nameOf = ({ id, revision }: Pick<ShownMessage, 'id' | 'revision'>) => `${id}:${revision}`

const listIn = (text: string | null): readonly string[] => {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}

/** The messages that a reader has dismissed; each reader of this browser has a list. */
export const dismissedBy = (keep: Keep, reader: string | null): readonly string[] => listIn(keep.get(keyOf(reader)))

/** Stores that a reader dismissed a message; only the newest dismissals are kept. */
export const dismiss = (keep: Keep, reader: string | null, message: ShownMessage): void => {
  const names = [...dismissedBy(keep, reader).filter((name) => name !== nameOf(message)), nameOf(message)]
  keep.set(keyOf(reader), JSON.stringify(names.slice(-mostRemembered)))
}

/** The messages that a reader has not dismissed; a changed one is shown again. */
export const remaining = (keep: Keep, { reader, messages }: MessageAnswer): readonly ShownMessage[] => {
  const dismissed = dismissedBy(keep, reader)
  return messages.filter((message) => !dismissed.includes(nameOf(message)))
}
