'use client'
import clsx from 'clsx'
import { GripVertical, Share2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { memo } from 'react'
import type { KeyboardEvent } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { ServerPlayers } from '#contracts/panel/players.ts'
import { remainingDays } from '#domain/billing/period.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import type { ShownWord } from '#domain/servers/status.ts'
import { serverAddress } from '@/lib/format/plate-text.ts'
import { ServerLamp } from '@/lib/servers/server-lamp.tsx'
import { ServerPlate } from '@/lib/servers/server-plate.tsx'
import { buttonClass, IconButton } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { Expiry } from '../expiry.tsx'
import { RowPower } from '../row-power.tsx'
import { consolePath, renewPath } from '../server-paths.ts'
import { isTroubled, SOON_DAYS } from './attention.ts'
import { Installing } from './installing.tsx'
import { useListActions } from './list-actions.ts'
import { PlayersCell } from './players-cell.tsx'
import type { Outcome } from './use-bulk-power.ts'

const OutcomeNote = ({ outcome }: { outcome: Outcome | undefined }) => {
  const t = useTranslations('servers.list')
  if (outcome === undefined) return null
  return (
    <span className={clsx('sv-note small', outcome.kind === 'failed' && 'is-failed')}>
      <LampGlyph kind={outcome.kind === 'failed' ? 'crash' : outcome.kind === 'sent' ? 'done' : 'busy'} />
      {outcome.kind === 'failed' ? outcome.text : t(outcome.kind === 'sent' ? `sent.${outcome.action}` : 'sending')}
    </span>
  )
}

const Grip = ({ server }: { server: Server }) => {
  const t = useTranslations('servers.list')
  const { step } = useListActions()
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (by === undefined) return
    event.preventDefault()
    step(server, by)
  }
  return (
    <button
      type="button"
      className="sv-grip"
      data-grip
      aria-label={t('grip', { name: server.name })}
      title={t('gripHint')}
      aria-keyshortcuts="ArrowUp ArrowDown"
      onKeyDown={onKeyDown}
    >
      <GripVertical className="i i-s" aria-hidden />
    </button>
  )
}

type ListRowProps = {
  readonly server: Server
  readonly groupId: string | null
  /** The owner's name on a server that is shared with the reader. */
  readonly sharedBy: string | null
  readonly isChosen: boolean
  readonly isArranging: boolean
  readonly outcome: Outcome | undefined
  readonly players: ServerPlayers | undefined
}

const NameCell = ({ server, sharedBy }: Pick<ListRowProps, 'server' | 'sharedBy'>) => {
  const t = useTranslations('servers')
  const address = serverAddress(server)
  return (
    <div className="nc">
      <PageLink className="nm" href={consolePath(server)} prefetch={false}>
        {server.name}
      </PageLink>
      {address && server.status !== 'installing' ? (
        <CopyText quiet text={address} label={t('copyAddress')} />
      ) : (
        <span className="small t2 sv-second">{server.serviceName}</span>
      )}
      {sharedBy === null ? null : (
        <span className="sv-shared small t2">
          <Share2 className="i i-s" aria-hidden />
          {t('list.sharedBy', { owner: sharedBy })}
        </span>
      )}
    </div>
  )
}

/** The states that the console explains, with the known error and the last lines. */
const WITH_REASON: readonly ShownWord[] = ['crashed', 'error on startup']

const Row = ({ server, groupId, sharedBy, isChosen, isArranging, outcome, players }: ListRowProps) => {
  const t = useTranslations('servers.list')
  const { toggle, openMenu } = useListActions()
  const nowMs = Date.now()
  const word = shownWordOf(server, nowMs)
  const mayRenew = sharedBy === null && remainingDays(Date.parse(server.expiry), nowMs) <= SOON_DAYS
  return (
    <li
      className={clsx('sv-row', isTroubled(word) && word !== 'expired' && 'bad')}
      data-server={server.id}
      data-group={groupId ?? ''}
      data-name={server.name}
      data-chosen={isChosen || undefined}
    >
      <div className="hnd">{isArranging ? <Grip server={server} /> : null}</div>
      <label className="check check-bare chk">
        <input
          type="checkbox"
          aria-label={t('select', { name: server.name })}
          checked={isChosen}
          onChange={() => toggle(server.id)}
        />
      </label>
      <div className="pc">
        <ServerPlate server={server} />
      </div>
      <NameCell server={server} sharedBy={sharedBy} />
      <div className="stc">
        <ServerLamp word={word} inList />
        <Installing server={server} />
        <OutcomeNote outcome={outcome} />
      </div>
      <div className="plc">
        <PlayersCell players={players} />
      </div>
      <div className="gm">
        <span>{server.serviceName}</span>
        <span className="mono small t2">{server.computer.name}</span>
      </div>
      <div className="ex">
        <Expiry expiry={server.expiry} />
      </div>
      <div className="ac">
        {mayRenew ? (
          <PageLink className={buttonClass({ size: 's' })} href={renewPath(server)} prefetch={false}>
            {t('renew')}
          </PageLink>
        ) : null}
        {WITH_REASON.includes(word) ? (
          <PageLink
            className={buttonClass({ size: 's' }, 'only-desk')}
            href={consolePath(server)}
            prefetch={false}
            aria-label={t('whyOf', { name: server.name })}
          >
            {t('why')}
          </PageLink>
        ) : null}
        <RowPower server={server} />
        <IconButton
          small
          label={t('rowMenu', { name: server.name })}
          aria-haspopup="menu"
          icon={<Icon name="more" />}
          onClick={(event) => openMenu(server, event.currentTarget)}
        />
      </div>
    </li>
  )
}

/** One server of the list. It renders again only when something of its own has changed: others may change many times a second. */
export const ListRow = memo(Row)
