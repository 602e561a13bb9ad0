'use client'
import clsx from 'clsx'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { serverAddress } from '@/lib/format/plate-text.ts'
import { ServerPlate } from '@/lib/servers/server-plate.tsx'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { ServerLamp } from '@/lib/servers/server-lamp.tsx'
import { Expiry } from './expiry.tsx'
import type { ListSort } from './list-view.ts'
import { RowPower } from './row-power.tsx'
import { consolePath } from './server-rows.tsx'

const Row = ({ server }: { server: Server }) => {
  const t = useTranslations('servers')
  const address = serverAddress(server)
  return (
    <tr className={clsx((server.status === 'crashed' || server.status === 'error on startup') && 'bad')}>
      <td className="pc">
        <ServerPlate server={server} />
      </td>
      <td className="nc">
        <PageLink className="nm" href={consolePath(server)} prefetch={false}>
          {server.name}
        </PageLink>
        {address ? <CopyText quiet text={address} label={t('copyAddress')} /> : null}
      </td>
      <td className="stc">
        <ServerLamp word={shownWordOf(server, Date.now())} inList />
      </td>
      <td className="gm t2">{server.serviceName}</td>
      <td className="nd">
        <span className="mono small t2">{server.computer.name}</span>
      </td>
      <td className="ex">
        <Expiry expiry={server.expiry} />
      </td>
      <td className="ac">
        <RowPower server={server} />
      </td>
    </tr>
  )
}

type ServersTableProps = { servers: readonly Server[]; sort: ListSort; onSort: (sort: ListSort) => void }

export const ServersTable = ({ servers, sort, onSort }: ServersTableProps) => {
  const t = useTranslations('servers')
  const head = (id: ListSort, label: string) => (
    <th scope="col" aria-sort={sort === id ? 'ascending' : 'none'} className={`h-${id}`}>
      <button type="button" className="sort" aria-pressed={sort === id} onClick={() => onSort(id)}>
        {label}
      </button>
    </th>
  )
  return (
    <table className="t sv bleed">
      <caption className="vh">{t('title')}</caption>
      <thead>
        <tr>
          <th scope="col" className="pc">
            <span className="vh">{t('columns.plate')}</span>
          </th>
          {head('name', t('columns.name'))}
          {head('status', t('columns.status'))}
          <th scope="col" className="gm">
            {t('columns.service')}
          </th>
          <th scope="col" className="nd">
            {t('columns.node')}
          </th>
          {head('expiry', t('columns.expiry'))}
          <th scope="col">
            <span className="vh">{t('columns.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {servers.map((server) => (
          <Row key={server.id} server={server} />
        ))}
      </tbody>
    </table>
  )
}
