'use client'

import { useQuery } from '@tanstack/react-query'
import type { ApiOutput } from '#contracts/routes/routes.ts'
import { adminQueries } from './admin-queries.ts'
import { askAdmin } from './ask-admin.ts'

type ReadRoute = Extract<Parameters<typeof askAdmin>[0], `GET ${string}`>

/** One answer that a page shows as a whole. `body` is undefined until it is read; `show` replaces it after an act. */
export const useRead = <Name extends ReadRoute>(name: Name, id = '') => {
  const queryKey = ['admin', name, id]
  const query = useQuery(
    {
      queryKey,
      queryFn: async () => {
        const answer = await askAdmin(name, { id })
        if (!answer.ok) throw new Error(`${name} could not be read`)
        return answer.body
      },
    },
    adminQueries,
  )
  return {
    body: query.data,
    isFailed: query.isError && !query.isFetching,
    again: () => void query.refetch(),
    show: (body: ApiOutput<Name>) => void adminQueries.setQueryData(queryKey, body),
  }
}
