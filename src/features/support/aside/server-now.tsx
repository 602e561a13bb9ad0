'use client'
import { useTranslations } from 'next-intl'
import type { ServerContext } from '#contracts/http/desk/server-context.ts'
import type { Server } from '#contracts/http/server.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import { ServerLamp } from '@/lib/servers/server-lamp.tsx'
import { ServerPlate } from '@/lib/servers/server-plate.tsx'

type ServerProps = {
  context: ServerContext
  /** Undefined while it is read, null if the reader has it no more. */
  server: Server | null | undefined
}

const NO_PICTURES = { banner: null, icon: null }

/** The server of a ticket in one row: its picture, its name, what it runs and its state now. The row has its height before they are known. */
export const ServerNow = ({ context, server }: ServerProps) => {
  const t = useTranslations('tickets.aside')
  const { name, identifier, game } = context
  return (
    <span className="tk-now">
      <ServerPlate server={server ?? { name, identifier, pictures: NO_PICTURES }} />
      <span className="tk-now__name">
        <b>{server?.name ?? name}</b>
        <span className="small t2">
          {server === null ? t('gone') : [game, server?.computer.name].filter(Boolean).join(' · ')}
        </span>
      </span>
      {server ? <ServerLamp word={shownWordOf(server, Date.now())} /> : null}
    </span>
  )
}
