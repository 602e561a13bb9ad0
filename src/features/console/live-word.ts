import { SERVER_STATES } from '#domain/servers/server-lifecycle.ts'
import type { ServerState } from '#domain/servers/server-lifecycle.ts'
import { SERVER_WORDS, statusOf } from '#domain/servers/status.ts'
import type { ServerWord } from '#domain/servers/status.ts'

const isWord = (text: string): text is ServerWord => (SERVER_WORDS as readonly string[]).includes(text)
const isState = (text: string): text is ServerState => (SERVER_STATES as readonly string[]).includes(text)

/**
 * The node reports its internal state or the specification's word; the page shows the word. Anything else is ignored.
 */
export const liveWord = (text: string): ServerWord | undefined => {
  if (isWord(text)) return text
  return isState(text) ? statusOf({ state: text, suspended: false, nodeReachable: true }).word : undefined
}
