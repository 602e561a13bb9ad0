'use client'
import { Users } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { PlayersCount, PlayersSeen } from '#contracts/panel/players.ts'
import { formatCount } from '@/lib/format/money.ts'
import { Avatar } from '@/ui/signs/avatar.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'

const initialOf = (name: string): string => [...name.replace(/[^\p{L}\p{N}]/gu, '')][0]?.toLocaleUpperCase() ?? ''

const PlayerList = ({ players }: { players: PlayersCount }) => {
  const t = useTranslations('console.players')
  const locale = useLocale()
  const unnamed = players.online - players.names.length
  return (
    <>
      {players.names.length > 0 ? (
        <ul className="con-player-list">
          {players.names.map((name, place) => (
            <li key={`${place}-${name}`}>
              <Avatar pictureId={null} initials={initialOf(name)} />
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      ) : null}
      {players.online === 0 ? <p>{t('nobody')}</p> : null}
      {unnamed > 0 ? (
        <p className="t2">{t('unnamed', { count: unnamed, shown: formatCount(unnamed, locale) })}</p>
      ) : null}
      <p className="small t2">{t('source')}</p>
    </>
  )
}

/** How many people play, with their names on request. The game says both, once a minute if it answers quickly. */
export const PlayersSign = ({ players }: { players: PlayersSeen }) => {
  const t = useTranslations('console.players')
  const tc = useTranslations('common')
  const locale = useLocale()
  const [open, setOpen] = useState(false)
  // A game that misses one answer closes the list, which does not come back unasked.
  if (players.state !== 'answered' && open) setOpen(false)
  if (players.state !== 'answered') {
    return (
      <span className="con-players small t2">
        <Users size={16} aria-hidden="true" />
        {t(players.state)}
      </span>
    )
  }
  const figures = { online: formatCount(players.online, locale), max: formatCount(players.max, locale) }
  return (
    <>
      <button type="button" className="text-btn con-players tnum" onClick={() => setOpen(true)}>
        <Users size={16} aria-hidden="true" />
        {t('count', figures)}
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t('title', figures)} closeLabel={tc('close')}>
        <PlayerList players={players} />
      </Dialog>
    </>
  )
}
