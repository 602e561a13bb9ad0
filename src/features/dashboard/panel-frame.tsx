'use client'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import { serversQuery } from '@/lib/queries/queries.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { plateText } from '@/lib/format/plate-text.ts'
import { Picture } from '@/lib/pictures/picture.tsx'
import { Plate } from '@/ui/signs/plate.tsx'
import { ServerLamp } from '@/lib/servers/server-lamp.tsx'
import { AppFrame } from './app-frame.tsx'
import { DashboardLine, PanelLine } from './menu-line.tsx'
import { usePanelPlace } from './panel-path.ts'

const Switcher = ({ server }: { server: Server | undefined }) => {
  const t = useTranslations('panel')
  return (
    <>
      <PageLink className="panel-back" href="/dashboard/servers">
        <ArrowLeft className="i i-s" aria-hidden />
        {t('back')}
      </PageLink>
      {server ? (
        <div className="switcher">
          <Plate>{plateText(server)}</Plate>
          <span className="min-w-0">
            <b className="cut">{server.name}</b>
            <small className="cut">
              {server.pictures.icon === null ? null : (
                <Picture path={server.pictures.icon} width={16} height={16} className="switcher-icon" eager />
              )}
              {server.serviceName} · {server.computer.name}
            </small>
          </span>
          <ServerLamp word={shownWordOf(server, Date.now())} inList />
        </div>
      ) : null}
    </>
  )
}

/** The frame of one server: its plate above the line, and in place of the logo on a phone. */
export const PanelFrame = ({
  note,
  promos,
  children,
}: {
  note?: ReactNode
  promos?: ReactNode
  children: ReactNode
}) => {
  const place = usePanelPlace()
  const id = place === 'reading' ? undefined : place?.id
  const server = useQuery(serversQuery()).data?.find((candidate) => candidate.id === id)
  return (
    <AppFrame
      panelId={id}
      note={note}
      promos={promos}
      head={<Switcher server={server} />}
      line={id ? <PanelLine id={id} /> : <DashboardLine />}
      phoneLine={
        id ? (
          <>
            <PanelLine id={id} />
            <DashboardLine />
          </>
        ) : undefined
      }
      here={
        server ? (
          <div className="here">
            <Plate>{plateText(server)}</Plate>
            <span className="min-w-0">
              <b className="cut">{server.name}</b>
              <ServerLamp word={shownWordOf(server, Date.now())} />
            </span>
          </div>
        ) : undefined
      }
    >
      {children}
    </AppFrame>
  )
}
