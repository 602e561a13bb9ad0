import type { QueryClient } from '@tanstack/react-query'
import type { ServerWord } from '#domain/servers/status.ts'
import { withServerWord, type Listed } from './server-store.ts'

type ToldWord = { readonly word: ServerWord; readonly at: number }
type Told = { count: number; readonly words: Map<string, ToldWord> }

const toldBy = new WeakMap<QueryClient, Told>()

const toldOf = (client: QueryClient): Told => {
  const told = toldBy.get(client) ?? { count: 0, words: new Map<string, ToldWord>() }
  toldBy.set(client, told)
  return told
}

/** Notes what the gateway tells of servers, for answers that are on their way and may be older. */
export const noteToldWords = (client: QueryClient, words: ReadonlyMap<string, ServerWord>): void => {
  const told = toldOf(client)
  told.count += 1
  for (const [id, word] of words) told.words.set(id, { word, at: told.count })
}

/**
 * Reads servers. A state that the gateway told since the question was asked is kept: the answer may have been written before it,
 * and if it was written after it, the gateway tells the newer state as well.
 */
export const readWithToldWords = async <Entry extends Listed & { status: ServerWord }>(
  client: QueryClient,
  read: () => Promise<readonly Entry[]>,
): Promise<Entry[]> => {
  const told = toldOf(client)
  const askedAt = told.count
  const servers = await read()
  const newer = [...told.words].filter(([, { at }]) => at > askedAt)
  return [...newer.reduce((all, [id, { word }]) => withServerWord(all, id, word), servers)]
}
