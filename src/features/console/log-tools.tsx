'use client'
import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Chip } from '@/ui/chip.tsx'
import { Input } from '@/ui/input.tsx'
import { countLevels, filters } from './levels.ts'
import type { Filter } from './levels.ts'
import type { LogEntry } from './log-buffer.ts'

type LogToolsProps = {
  entries: readonly LogEntry[]
  filter: Filter
  search: string
  onFilter: (filter: Filter) => void
  onSearch: (search: string) => void
}

/** Chips with what each would leave, and a search in the text. */
export const LogTools = ({ entries, filter, search, onFilter, onSearch }: LogToolsProps) => {
  const t = useTranslations('console')
  const counts = countLevels(entries)
  return (
    <div className="con-tools">
      <div className="row con-chips" role="group" aria-label={t('levels')}>
        {filters.map((id) => (
          <Chip
            key={id}
            small
            pressed={filter === id}
            {...(id === 'all' ? {} : { count: counts[id] })}
            onClick={() => onFilter(id)}
          >
            {t(`filters.${id}`)}
          </Chip>
        ))}
      </div>
      <Input
        small
        type="search"
        label={t('search')}
        placeholder={t('search')}
        icon={<Search className="i i-s" aria-hidden />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
    </div>
  )
}
