'use client'
import type { Server } from '#contracts/http/server.ts'
import { useAddressChoice, useAddressText } from '@/ui/screen/address-state.ts'
import { listFilters, listSorts } from '../list-view.ts'

/**
 * The filters and the order that the reader chose; they are in the address, so that a reload, a link and the way back
 * restore them.
 */
export const useListChoice = (servers: readonly Server[]) => {
  const [filter, setFilter] = useAddressChoice('show', listFilters)
  const [sort, setSort] = useAddressChoice('sort', listSorts)
  const [search, setSearch] = useAddressText('q')
  const [asked, setGame] = useAddressText('game')
  // A game of which no server is left would hide the whole list behind a choice that nobody sees.
  const game = servers.some(({ serviceName }) => serviceName === asked) ? asked : ''
  return { filter, setFilter, sort, setSort, search, setSearch, game, setGame }
}
export type ListChoice = ReturnType<typeof useListChoice>
