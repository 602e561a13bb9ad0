'use client'

import { useEffect, useState } from 'react'
import * as z from 'zod'

const People = z.object({
  docs: z.array(z.object({ id: z.string(), username: z.string(), email: z.string().optional() })),
})
export type FoundPerson = z.infer<typeof People>['docs'][number]

const MOST = 50

const readPeople = async (search: URLSearchParams): Promise<FoundPerson[]> => {
  search.set('depth', '0')
  search.set('limit', String(MOST))
  const answer = await fetch(`/api/cms/users?${search}`).catch(() => undefined)
  const body: unknown = await answer?.json().catch(() => undefined)
  return People.safeParse(body).data?.docs ?? []
}

/** People whose name, identifier or address holds the text. */
export const findPeople = (text: string): Promise<FoundPerson[]> =>
  readPeople(
    new URLSearchParams(
      ['username', 'identifier', 'email'].map((field, at) => [`where[or][${at}][${field}][like]`, text]),
    ),
  )

/** Names of people by their ids; those who are not known yet, or not any more, are missing. */
export const usePeople = (ids: readonly string[]): ReadonlyMap<string, string> => {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const missing = [...new Set(ids)].filter((id) => !names.has(id)).slice(0, MOST)
  const wanted = missing.join(',')
  useEffect(() => {
    if (wanted === '') return
    let isLate = false
    void readPeople(new URLSearchParams([['where[id][in]', wanted]])).then((people) => {
      if (isLate) return
      // Somebody who is not found is not asked for again.
      const found = new Map(wanted.split(',').map((id) => [id, '']))
      for (const { id, username } of people) found.set(id, username)
      setNames((known) => new Map([...known, ...found]))
    })
    return () => {
      isLate = true
    }
  }, [wanted])
  return names
}
