'use client'
import { Flag, Pencil, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ServerPort } from '#contracts/http/panel/ports.ts'
import type { NodePorts } from '#contracts/panel/node-ports.ts'
import { Button } from '@/ui/controls/button.tsx'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { Mark } from '@/ui/surfaces/notice.tsx'
import type { PortRights, ShownServer } from './port-rights.ts'
import { ListeningLamp, OutsideLamp, PortUse, useOutside } from './port-signs.tsx'
import { listeningOf } from './port-state.ts'

export type PortAct = 'note' | 'primary' | 'remove'

type PortRowProps = {
  readonly server: ShownServer
  readonly port: ServerPort
  readonly look: { readonly data: NodePorts | undefined; readonly isError: boolean }
  readonly rights: PortRights
  readonly onAct: (act: PortAct) => void
}

const Acts = ({ port, rights, onAct }: Pick<PortRowProps, 'port' | 'rights' | 'onAct'>) => {
  const t = useTranslations('networks')
  const name = { port: String(port.port) }
  return (
    <div className="port__acts">
      {rights.may('allocation.update') ? (
        <Button size="s" look="quiet" aria-label={t('note.actOf', name)} onClick={() => onAct('note')}>
          <Pencil className="i" aria-hidden />
          {t('note.act')}
        </Button>
      ) : null}
      {rights.may('allocation.update') && !port.isPrimary ? (
        <Button size="s" look="quiet" aria-label={t('primary.actOf', name)} onClick={() => onAct('primary')}>
          <Flag className="i" aria-hidden />
          {t('primary.act')}
        </Button>
      ) : null}
      {rights.may('allocation.remove') && !port.isPrimary ? (
        <Button size="s" look="quiet" aria-label={t('remove.actOf', name)} onClick={() => onAct('remove')}>
          <Trash2 className="i" aria-hidden />
          {t('remove.act')}
        </Button>
      ) : null}
    </div>
  )
}

const OutsideOf = ({ server, port }: Pick<PortRowProps, 'server' | 'port'>) => (
  <OutsideLamp port={port} state={useOutside(server.id, port.id)} />
)

/** One port of a server. The primary one is checked from outside above the list. */
export const PortRow = ({ server, port, look, rights, onAct }: PortRowProps) => {
  const t = useTranslations('networks')
  return (
    <li className="port">
      <div className="port__what">
        <span className="port__number mono">{port.port}</span>
        {port.isPrimary ? <Mark tone="go">{t('primary.mark')}</Mark> : null}
        <CopyText text={port.address} label={t('address.copy')} quiet />
      </div>
      <div className="port__for">
        <PortUse port={port} />
        {port.note === '' ? null : <span className="port__note">{port.note}</span>}
      </div>
      <div className="port__state">
        <ListeningLamp listening={listeningOf(port, look, server.status)} isFree={port.use === 'free'} />
        {port.isPrimary ? null : <OutsideOf server={server} port={port} />}
      </div>
      <Acts port={port} rights={rights} onAct={onAct} />
    </li>
  )
}
