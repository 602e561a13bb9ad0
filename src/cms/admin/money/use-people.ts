'use client'

import { useEffect, useState } from 'react'
import * as z from 'zod'
import { api } from '@/lib/browser-client/browser-client.ts'

const People = z.object({
  docs: z.array(z.object({ id: z.string(), username: z.string(), email: z.string().optional() })),
})
export type FoundPerson = z.infer<typeof People>['docs'][number]

const MOST = 50
/** Names that could not be read are requested again after this. */
const AGAIN_MS = 10_000

/** Undefined if they could not be read. */
const readPeople = (search: URLSearchParams): Promise<FoundPerson[] | undefined> => {
  search.set('depth', '0')
  search.set('limit', String(MOST))
  return api.call(`/api/cms/users?${search}`, { schema: People }).then(
    ({ docs }) => docs,
    () => undefined,
  )
}

/** People whose name, identifier or address contains the text; undefined if they could not be read. */
export const findPeople = (text: string): Promise<FoundPerson[] | undefined> =>
  readPeople(
    new URLSearchParams(
      ['username', 'identifier', 'email'].map((field, at) => [`where[or][${at}][${field}][like]`, text]),
    ),
  )

/** Names of people by id; unknown ids are missing so far, and deleted people have an empty name. */
export const usePeople = (ids: readonly string[]): ReadonlyMap<string, string> => {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const [failures, setFailures] = useState(0)
  const missing = [...new Set(ids)].filter((id) => !names.has(id)).slice(0, MOST)
  const wanted = missing.join(',')
  useEffect(() => {
    if (wanted === '') return
    let isLate = false
    let timer: ReturnType<typeof setTimeout> | undefined
    void readPeople(new URLSearchParams([['where[id][in]', wanted]])).then((people) => {
      if (isLate) return
      if (people === undefined) {
        timer = setTimeout(() => setFailures(failures + 1), AGAIN_MS)
        return
      }
      // A person who was not found is not requested again.
      const found = new Map(wanted.split(',').map((id) => [id, '']))
      for (const { id, username } of people) found.set(id, username)
      setNames((known) => new Map([...known, ...found]))
    })
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [wanted, failures])
  return names
}
