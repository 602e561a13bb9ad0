'use client'
import clsx from 'clsx'
import { useTranslations } from 'next-intl'
import type { RefObject } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { ServerPlayers } from '#contracts/panel/players.ts'
import type { ServerLayout } from '#contracts/http/server-layout.ts'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { useKeptGrip } from '@/ui/screen/use-kept-grip.ts'
import { useRowDrag } from '@/ui/screen/use-row-drag.ts'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import type { ListSection } from '../list-view.ts'
import type { DropPlace } from './drop-place.ts'
import { GroupSection } from './group-section.tsx'
import type { Outcome } from './use-bulk-power.ts'
import { SERVER_ROWS } from './server-rows-drag.ts'

type ListRowsProps = {
  readonly list: RefObject<HTMLDivElement | null>
  readonly sections: readonly ListSection<Server>[]
  readonly layout: ServerLayout
  readonly readerId: string | undefined
  readonly chosen: ReadonlySet<string>
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly players: ReadonlyMap<string, ServerPlayers>
  /** The rows stand in the reader's own order, which can be changed. */
  readonly isArranging: boolean
  readonly onDrop: (id: string, place: DropPlace) => void
}

/** The rows by groups, and their dragging. */
export const ListRows = (props: ListRowsProps) => {
  const { list, sections, layout, readerId, chosen, outcomes, players, isArranging, onDrop } = props
  const t = useTranslations('servers')
  const { line, ghost, lifted } = useRowDrag({ rules: SERVER_ROWS, list, isOn: isArranging, onDrop })
  useKeptGrip(list, 'data-server')
  return (
    <>
      <div ref={list} className={clsx('sv-list', layout.dense && 'sv-dense')}>
        {sections.map((section) => (
          <GroupSection
            key={section.group?.id ?? ''}
            section={section}
            hasHeading={layout.groups.length > 0}
            readerId={readerId}
            chosen={chosen}
            isArranging={isArranging}
            outcomes={outcomes}
            players={players}
          />
        ))}
        {lifted === null ? null : <div ref={line} className="drag-line" />}
      </div>
      {sections.every(({ group, servers }) => group === null && servers.length === 0) ? (
        <EmptyState picture={<Drawing group="empty" name="nothing-found" width={320} />}>{t('noMatch')}</EmptyState>
      ) : null}
      {lifted === null ? null : (
        <div ref={ghost} className="drag-ghost">
          {lifted.name}
        </div>
      )}
    </>
  )
}
