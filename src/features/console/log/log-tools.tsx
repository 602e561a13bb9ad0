'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { IconButton } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { Chip } from '@/ui/controls/chip.tsx'
import { countLevels, filters } from './levels.ts'
import type { Filter } from './levels.ts'
import type { LogEntry } from './log-buffer.ts'

type LogToolsProps = {
  entries: readonly LogEntry[]
  filter: Filter
  onFilter: (filter: Filter) => void
  /** Whether a narrow screen shows the row of the search. */
  finding: boolean
  onFind: (finding: boolean) => void
  children: ReactNode
}

/** Filter chips with their counts; beside them the search and the export. */
export const LogTools = ({ entries, filter, onFilter, finding, onFind, children }: LogToolsProps) => {
  const t = useTranslations('console')
  const counts = countLevels(entries)
  return (
    <div className="con-tools" data-find={finding}>
      <div className="con-chips" role="group" aria-label={t('levels')}>
        {filters.map((id) => (
          <Chip
            key={id}
            small
            pressed={filter === id}
            {...(id === 'all' || counts[id] === 0 ? {} : { count: counts[id] })}
            onClick={() => onFilter(id)}
          >
            {t(`filters.${id}`)}
          </Chip>
        ))}
      </div>
      <IconButton
        small
        className="find-open"
        label={t('search')}
        aria-expanded={finding}
        icon={<Icon name={finding ? 'close' : 'search'} />}
        onClick={() => onFind(!finding)}
      />
      {children}
    </div>
  )
}
