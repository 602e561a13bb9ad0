'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { ServerPorts } from '#contracts/http/panel/ports.ts'
import { isNoServer, useServer } from '@/lib/servers/use-server.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { AddressSign } from './address-sign.tsx'
import { PortList } from './port-list.tsx'
import { listeningQuery, portsQuery, rereadPorts } from './port-queries.ts'
import { useMissingText } from './port-rights.ts'
import { RestartNotice } from './restart-notice.tsx'

/** Ports are read again when the server has started, stopped or crashed. */
const useRereading = ({ id, status }: Pick<Server, 'id' | 'status'>) => {
  const client = useQueryClient()
  const before = useRef(status)
  useEffect(() => {
    if (before.current === status) return
    before.current = status
    rereadPorts(client, id)
  }, [client, id, status])
}

const Ports = ({ server, ports }: { server: Server; ports: ServerPorts }) => {
  const t = useTranslations('networks')
  const client = useQueryClient()
  const listening = useQuery(listeningQuery(client, server.id))
  const primary = ports.ports.find(({ isPrimary }) => isPrimary)
  return (
    <div className="networks">
      {ports.readOnly === null ? null : <Notice tone="wait">{t(`readOnly.${ports.readOnly}`)}</Notice>}
      {ports.needsRestart ? <RestartNotice server={server} /> : null}
      {primary === undefined ? null : <AddressSign key={primary.id} server={server} port={primary} look={listening} />}
      <PortList server={server} ports={ports} look={listening} />
    </div>
  )
}

const Seen = ({ server }: { server: Server }) => {
  const t = useTranslations('networks')
  const query = useQuery(portsQuery(server.id))
  useRereading(server)
  return (
    <Together phase={useTogether(query)} reading={t('readingAll')}>
      <Region query={query} skeleton={<SkeletonRows rows={12} />} failed={t('failed')}>
        {(ports) => <Ports server={server} ports={ports} />}
      </Region>
    </Together>
  )
}

const Parts = ({ server }: { server: Server }) => {
  const missing = useMissingText()
  return server.permissions.includes('allocation.view') ? (
    <Seen server={server} />
  ) : (
    <EmptyState>{missing('allocation.view')}</EmptyState>
  )
}

/** The network of one server: its address, and the ports that it has. */
export const NetworksPage = ({ id }: { id: string }) => {
  const t = useTranslations('networks')
  const tc = useTranslations('common')
  const tp = useTranslations('panel')
  const query = useServer(id)
  const isGone = query.data === undefined && isNoServer(query.error)
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      {isGone ? (
        <EmptyState
          action={
            <PageLink className={buttonClass({ look: 'primary' })} href="/dashboard/servers">
              {tp('back')}
            </PageLink>
          }
        >
          {t('gone')}
        </EmptyState>
      ) : (
        <Region query={query} skeleton={<SkeletonRows rows={12} label={tc('loading')} />} failed={t('failed')}>
          {(server) => <Parts key={server.id} server={server} />}
        </Region>
      )}
    </div>
  )
}
