'use client'
import { Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { LeavingPort, ServerPort, ServerPorts } from '#contracts/http/panel/ports.ts'
import type { NodePorts } from '#contracts/panel/node-ports.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { AddDialog, NoteDialog, PrimaryDialog, RemoveDialog } from './port-dialogs.tsx'
import { portRightsOf, useMissingText } from './port-rights.ts'
import type { PortRights, ShownServer } from './port-rights.ts'
import { PortRow } from './port-row.tsx'
import type { PortAct } from './port-row.tsx'

/** How many of the server's ports are taken, as stops of which each is one. */
const LimitMeter = ({ taken, limit }: { taken: number; limit: number }) => {
  const t = useTranslations('networks')
  return (
    <span className="port-meter">
      <span className="port-meter__stops" aria-hidden>
        {Array.from({ length: limit }, (_, place) => (
          <i key={place} {...(place < taken ? { className: 'on' } : {})} />
        ))}
      </span>
      {t('count', { taken, limit })}
    </span>
  )
}

const Leaving = ({ port }: { port: LeavingPort }) => {
  const t = useTranslations('networks')
  return (
    <li className="port port-leaving">
      <span className="port__number mono">{port.port}</span>
      <Lamp kind="due">{t('leaving')}</Lamp>
    </li>
  )
}

const Missing = ({ rights }: { rights: PortRights }) => {
  const missing = useMissingText()
  return rights.missing.length === 0 ? null : (
    <ul className="port-missing small t2">
      {rights.missing.map((permission) => (
        <li key={permission}>{missing(permission)}</li>
      ))}
    </ul>
  )
}

type Open = { readonly act: PortAct; readonly port: ServerPort } | { readonly act: 'add' }

type Asking = { readonly server: ShownServer; readonly open: Open | null; readonly onClose: () => void }

const Dialogs = ({ server, open, onClose }: Asking) => {
  if (open === null) return null
  if (open.act === 'add') return <AddDialog server={server} onClose={onClose} />
  const props = { server, port: open.port, onClose }
  if (open.act === 'note') return <NoteDialog {...props} />
  return open.act === 'primary' ? <PrimaryDialog {...props} /> : <RemoveDialog {...props} />
}

type PortListProps = {
  readonly server: ShownServer
  readonly ports: ServerPorts
  readonly look: { readonly data: NodePorts | undefined; readonly isError: boolean }
}

/** All ports of a server: what each is for, what listens on it, and what can be done with it. */
export const PortList = ({ server, ports, look }: PortListProps) => {
  const t = useTranslations('networks')
  const [open, setOpen] = useState<Open | null>(null)
  const rights = portRightsOf(server, ports)
  const { ports: own, leaving, limit } = ports
  const isFull = own.length >= limit
  return (
    <Panel
      title={t('ports')}
      end={
        <>
          <LimitMeter taken={own.length} limit={limit} />
          {rights.may('allocation.create') && !isFull ? (
            <Button size="s" look="primary" onClick={() => setOpen({ act: 'add' })}>
              <Plus className="i" aria-hidden />
              {t('add.act')}
            </Button>
          ) : null}
        </>
      }
    >
      {rights.may('allocation.create') && isFull ? <p className="port-full t2">{t('full', { limit })}</p> : null}
      <ul className="ports">
        {own.map((port) => (
          <PortRow
            key={port.id}
            server={server}
            port={port}
            look={look}
            rights={rights}
            onAct={(act) => setOpen({ act, port })}
          />
        ))}
        {leaving.map((port) => (
          <Leaving key={port.id} port={port} />
        ))}
      </ul>
      {own.length === 1 && !isFull ? <p className="port-hint t2">{t('onlyPrimary')}</p> : null}
      <p className="small t2">{t('both')}</p>
      <Missing rights={rights} />
      <Dialogs server={server} open={open} onClose={() => setOpen(null)} />
    </Panel>
  )
}
