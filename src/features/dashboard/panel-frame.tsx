'use client'
import { ArrowLeft } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import type { ServerWord, ShownWord } from '#domain/servers/status.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { plateText } from '@/lib/format/plate-text.ts'
import { Picture } from '@/lib/pictures/picture.tsx'
import { Plate } from '@/ui/signs/plate.tsx'
import { ServerLamp } from '@/lib/servers/server-lamp.tsx'
import { useServer } from '@/lib/servers/use-server.ts'
import { AppFrame } from './app-frame.tsx'
import { DashboardLine, PanelLine } from './menu-line.tsx'

const NO_TEXT = '\u00a0'

type ShownServer = { readonly server: Server; readonly word: ShownWord }

const Suspension = ({ reason }: { reason: string | null }) => {
  const t = useTranslations('panel')
  return reason === null || reason === '' ? null : (
    <small className="switcher-reason">{t('suspendedFor', { reason })}</small>
  )
}

const ServerSign = ({ server, word }: ShownServer) => (
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
    <ServerLamp word={word} inList />
    {server.suspended ? <Suspension reason={server.suspendedReason} /> : null}
  </div>
)

/** As high as the sign of a server, so that the menu below stays where it is. */
const ReadingSign = () => (
  <div className="switcher switcher-reading" aria-hidden>
    <Plate>{NO_TEXT}</Plate>
    <span className="min-w-0">
      <b>{NO_TEXT}</b>
      <small>{NO_TEXT}</small>
    </span>
    <span className="lamp">{NO_TEXT}</span>
  </div>
)

const Switcher = ({ shown, isReading }: { shown: ShownServer | undefined; isReading: boolean }) => {
  const t = useTranslations('panel')
  return (
    <>
      <PageLink className="panel-back" href="/dashboard/servers">
        <ArrowLeft className="i i-s" aria-hidden />
        {t('back')}
      </PageLink>
      {shown ? <ServerSign {...shown} /> : null}
      {isReading ? <ReadingSign /> : null}
    </>
  )
}

const Here = ({ server, word }: ShownServer) => (
  <div className="here">
    <Plate>{plateText(server)}</Plate>
    <span className="min-w-0">
      <b className="cut">{server.name}</b>
      <ServerLamp word={word} />
    </span>
  </div>
)

type FrameProps = {
  /** The server in the address; undefined until the address is read. */
  id: string | undefined
  /** Its state as the whole panel shows it. */
  word: ServerWord
  note?: ReactNode
  promos?: ReactNode
  children: ReactNode
}

/** The frame of one server: its plate above the line, and in place of the logo on a phone. */
export const PanelFrame = ({ id, word, note, promos, children }: FrameProps) => {
  const { data: server, isPending } = useServer(id)
  const shown = server && { server, word: shownWordOf({ status: word, expiry: server.expiry }, Date.now()) }
  return (
    <AppFrame
      panelId={id}
      note={note}
      promos={promos}
      head={<Switcher shown={shown} isReading={shown === undefined && isPending} />}
      line={id ? <PanelLine id={id} /> : <DashboardLine />}
      phoneLine={
        id ? (
          <>
            <PanelLine id={id} />
            <DashboardLine />
          </>
        ) : undefined
      }
      here={shown ? <Here {...shown} /> : undefined}
    >
      {children}
    </AppFrame>
  )
}
