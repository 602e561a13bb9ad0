'use client'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import type { PlayersSeen } from '#contracts/panel/players.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { plateText, serverAddress } from '@/lib/format/plate-text.ts'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { Plate } from '@/ui/signs/plate.tsx'
import { ServerLamp } from '@/lib/servers/server-lamp.tsx'
import { PlayersSign } from './players-sign.tsx'
import { PowerButtons } from './power-buttons.tsx'
import { uptimeParts } from './stats/stats-words.ts'

const Uptime = ({ uptimeMs }: { uptimeMs: number }) => {
  const t = useTranslations('console')
  const parts = uptimeParts(uptimeMs)
  const unit = parts.days > 0 ? 'days' : parts.hours > 0 ? 'hours' : parts.minutes > 0 ? 'minutes' : 'seconds'
  return (
    <span className="t2 small con-uptime">
      {t(`uptime.${unit}`, { d: parts.days, h: parts.hours, m: parts.minutes, s: parts.seconds })}
    </span>
  )
}

type ConsoleHeadProps = { server: Server; word: ServerWord; uptimeMs: number | null; players: PlayersSeen | null }

/** Name, state, players, address and power actions. */
export const ConsoleHead = ({ server, word, uptimeMs, players }: ConsoleHeadProps) => {
  const t = useTranslations('servers')
  const address = serverAddress(server)
  return (
    <header className="con-head">
      <Plate size="l">{plateText(server)}</Plate>
      <div className="con-title">
        <h1>{server.name}</h1>
        <div className="con-meta">
          <span role="status">
            <ServerLamp word={shownWordOf({ status: word, expiry: server.expiry }, Date.now())} />
          </span>
          {uptimeMs !== null && word === 'running' ? <Uptime uptimeMs={uptimeMs} /> : null}
          {players !== null && word === 'running' ? <PlayersSign players={players} /> : null}
          {address ? <CopyText text={address} label={t('copyAddress')} /> : null}
          <span className="small t2 only-desk">{server.computer.name}</span>
        </div>
      </div>
      <PowerButtons server={server} word={word} />
    </header>
  )
}
