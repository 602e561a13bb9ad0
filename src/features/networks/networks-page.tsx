'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import type { ServerPorts } from '#contracts/http/panel/ports.ts'
import { portsQuery } from '@/lib/queries/ports-query.ts'
import { ServerRegion } from '@/lib/servers/server-region.tsx'
import { useServer } from '@/lib/servers/use-server.ts'
import { useStatusChange } from '@/lib/servers/use-status-change.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { AddressSign } from './address-sign.tsx'
import { PortList } from './port-list.tsx'
import { listeningQuery, rereadPorts } from './port-queries.ts'
import { useMissingText } from './port-rights.ts'
import { RestartNotice } from './restart-notice.tsx'

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
  const client = useQueryClient()
  const query = useQuery(portsQuery(server.id))
  useStatusChange(server, () => rereadPorts(client, server.id))
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
  const query = useServer(id)
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <ServerRegion
        query={query}
        gone={t('gone')}
        skeleton={<SkeletonRows rows={12} label={tc('loading')} />}
        failed={t('failed')}
      >
        {(server) => <Parts key={server.id} server={server} />}
      </ServerRegion>
    </div>
  )
}
