'use client'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { IconButton } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import type { ServerPlayers } from '#contracts/panel/players.ts'
import type { ListSection } from '../list-view.ts'
import { useListActions } from './list-actions.ts'
import { ListRow } from './list-row.tsx'
import type { Outcome } from './use-bulk-power.ts'

type GroupSectionProps = {
  readonly section: ListSection<Server>
  /** Without groups the only section has no heading. */
  readonly hasHeading: boolean
  readonly readerId: string | undefined
  readonly chosen: ReadonlySet<string>
  readonly isArranging: boolean
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly players: ReadonlyMap<string, ServerPlayers>
}

const Heading = ({ section, id }: { section: ListSection<Server>; id: string }) => {
  const t = useTranslations('servers.list')
  const { fold, openGroupMenu } = useListActions()
  const { group, servers } = section
  const count = <span className="t3">{servers.length}</span>
  return (
    <div className="sv-group" data-group-heading data-group={group?.id ?? ''}>
      <h2 id={id}>
        {group === null ? (
          <span className="sv-fold">
            {t('loose')} {count}
          </span>
        ) : (
          <button type="button" className="sv-fold" aria-expanded={!group.folded} onClick={() => fold(group)}>
            {group.folded ? (
              <ChevronRight className="i i-s" aria-hidden />
            ) : (
              <ChevronDown className="i i-s" aria-hidden />
            )}
            {group.name} {count}
          </button>
        )}
      </h2>
      {group === null ? null : (
        <IconButton
          small
          label={t('groupMenu', { name: group.name })}
          aria-haspopup="menu"
          icon={<Icon name="more" />}
          onClick={(event) => openGroupMenu(group, event.currentTarget)}
        />
      )}
    </div>
  )
}

/** A group with its servers; folded, only its heading. */
export const GroupSection = (props: GroupSectionProps) => {
  const { section, hasHeading, readerId, chosen, isArranging, outcomes, players } = props
  const t = useTranslations('servers')
  const id = useId()
  const { group, servers } = section
  return (
    <section aria-labelledby={hasHeading ? id : undefined} aria-label={hasHeading ? undefined : t('title')}>
      {hasHeading ? <Heading section={section} id={id} /> : null}
      {group?.folded ? null : servers.length === 0 ? (
        <p className="sv-empty small t2">{t('list.emptyGroup')}</p>
      ) : (
        <ul className="sv-rows">
          {servers.map((server) => (
            <ListRow
              key={server.id}
              server={server}
              groupId={group?.id ?? null}
              sharedBy={readerId === undefined || server.owner.id === readerId ? null : server.owner.username}
              isChosen={chosen.has(server.id)}
              isArranging={isArranging}
              outcome={outcomes.get(server.id)}
              players={players.get(server.id)}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
