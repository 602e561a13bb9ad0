'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod'
import { api } from '@/lib/browser-client/browser-client.ts'
import { adminQueries } from './admin-queries.ts'

const People = z.object({
  docs: z.array(z.object({ id: z.string(), username: z.string(), email: z.string().optional() })),
})
export type FoundPerson = z.infer<typeof People>['docs'][number]

const MOST = 50
const LEAST_LETTERS = 3
/** Names that could not be read are requested again after this. */
const AGAIN_MS = 10_000

/** The first fifty people of a search in the CMS. */
export const readPeople = async (search: URLSearchParams): Promise<readonly FoundPerson[]> => {
  search.set('depth', '0')
  search.set('limit', String(MOST))
  return (await api.call(`/api/cms/users?${search}`, { schema: People })).docs
}

const NAMES = ['username', 'identifier']

const searchOf = (text: string, withAddress: boolean) =>
  new URLSearchParams(
    (withAddress ? [...NAMES, 'email'] : NAMES).map((field, at) => [`where[or][${at}][${field}][like]`, text]),
  )

/** People whose name, identifier or address contains the text; from three characters on. Only administrators search addresses. */
export const useFoundPeople = (text: string, withAddress: boolean) =>
  useQuery(
    {
      queryKey: ['admin', 'found people', text, withAddress],
      queryFn: () => readPeople(searchOf(text, withAddress)),
      enabled: text.length >= LEAST_LETTERS,
    },
    adminQueries,
  )

/** Adds the names of the people among `ids` that are missing so far. A person who was not found has an empty name. */
const readNames = async (ids: readonly string[], known: Map<string, string>): Promise<ReadonlyMap<string, string>> => {
  const missing = ids.filter((id) => !known.has(id))
  for (let from = 0; from < missing.length; from += MOST) {
    const asked = missing.slice(from, from + MOST)
    const people = await readPeople(new URLSearchParams([['where[id][in]', asked.join(',')]]))
    for (const id of asked) known.set(id, people.find((person) => person.id === id)?.username ?? '')
  }
  return new Map(known)
}

const NOBODY: ReadonlyMap<string, string> = new Map()

/** Names of people by id; unknown ids are missing so far, and deleted people have an empty name. */
export const usePeople = (ids: readonly string[]): ReadonlyMap<string, string> => {
  const [known] = useState(() => new Map<string, string>())
  const wanted = [...new Set(ids)]
  const names = useQuery(
    {
      queryKey: ['admin', 'names', ...wanted],
      queryFn: () => readNames(wanted, known),
      enabled: wanted.length > 0,
      placeholderData: keepPreviousData,
      retry: true,
      retryDelay: AGAIN_MS,
    },
    adminQueries,
  )
  return names.data ?? NOBODY
}
