'use client'
import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { RefObject } from 'react'
import { Chip } from '@/ui/controls/chip.tsx'
import { Input } from '@/ui/controls/input.tsx'
import { listFilters, listSorts } from '../list-view.ts'
import type { ListFilter } from '../list-view.ts'
import type { ListChoice } from './use-list-choice.ts'

type ToolsProps = {
  readonly choice: ListChoice
  readonly field: RefObject<HTMLInputElement | null>
  readonly counts: Readonly<Record<ListFilter, number>>
  readonly games: readonly string[]
}

/** Filters and orders of the list. */
export const ListTools = ({ choice, field, counts, games }: ToolsProps) => {
  const t = useTranslations('servers')
  return (
    <div className="sv-tools">
      <Input
        ref={field}
        label={t('filterLabel')}
        placeholder={t('filter')}
        type="search"
        icon={<Search className="i" aria-hidden />}
        value={choice.search}
        onChange={(event) => choice.setSearch(event.currentTarget.value)}
      />
      <div className="sv-chips" role="group" aria-label={t('columns.status')}>
        {listFilters.map((id) => (
          <Chip key={id} pressed={choice.filter === id} count={counts[id]} onClick={() => choice.setFilter(id)}>
            {t(`filters.${id}`)}
          </Chip>
        ))}
      </div>
      <span className="grow only-desk" />
      {games.length > 1 ? (
        <select
          className="select"
          aria-label={t('list.game')}
          value={choice.game}
          onChange={(event) => choice.setGame(event.currentTarget.value)}
        >
          <option value="">{t('list.allGames')}</option>
          {games.map((game) => (
            <option key={game} value={game}>
              {game}
            </option>
          ))}
        </select>
      ) : null}
      <select
        className="select"
        aria-label={t('list.sortBy')}
        value={choice.sort}
        onChange={(event) => choice.setSort(listSorts.find((sort) => sort === event.currentTarget.value) ?? 'own')}
      >
        {listSorts.map((sort) => (
          <option key={sort} value={sort}>
            {t(`list.sorts.${sort}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
