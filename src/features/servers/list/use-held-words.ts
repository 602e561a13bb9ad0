'use client'
import { useState } from 'react'
import { shownWordOf } from '#domain/servers/status.ts'
import type { ServerWord, ShownWord } from '#domain/servers/status.ts'

type Listed = { readonly id: string; readonly status: ServerWord; readonly expiry: string }

const wordsOf = (servers: readonly Listed[]): ReadonlyMap<string, ShownWord> =>
  new Map(servers.map((server) => [server.id, shownWordOf(server, Date.now())]))

/**
 * The states by which the list is sorted and filtered: those at the moment of the choice, until the reader chooses again or asks for
 * the new ones. A row that changed its state under the pointer would otherwise be another row's place.
 */
export const useHeldWords = (servers: readonly Listed[], choice: string) => {
  const [held, setHeld] = useState(() => ({ choice, words: wordsOf(servers) }))
  if (held.choice !== choice) setHeld({ choice, words: wordsOf(servers) })
  return { words: held.words, renew: () => setHeld({ choice, words: wordsOf(servers) }) }
}
