'use client'
import { Cog, Server, UserX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ActivityPerson, ServerActivity } from '#contracts/http/panel/server-activity.ts'
import { initialsOf } from '@/lib/format/initials.ts'
import { useReader } from '@/lib/servers/use-reader.ts'
import { Avatar } from '@/ui/signs/avatar.tsx'

type Actor = ServerActivity['actor']

/** The words for whoever did something; two deleted accounts are told apart by the end of their ids. */
export const useActorWords = () => {
  const t = useTranslations('serverActivity.actors')
  return (actor: Actor | ActivityPerson): string => {
    if (typeof actor === 'string') return t(actor)
    return actor.name ?? t('deleted', { id: actor.id.slice(-4) })
  }
}

/** The picture or the sign of whoever did something; the name stands beside it. */
export const ActorMark = ({ actor }: { actor: Actor }) => {
  if (typeof actor === 'string' || actor.name === null) {
    const Drawing = actor === 'server' ? Server : actor === 'system' ? Cog : UserX
    return (
      <span className="tag act-sign" aria-hidden="true">
        <Drawing className="i i-s" />
      </span>
    )
  }
  return <Avatar pictureId={actor.pictureId} initials={initialsOf(actor.name)} />
}

/** The name, and what distinguishes the person on this server. */
export const ActorName = ({ actor }: { actor: Actor }) => {
  const t = useTranslations('serverActivity.roles')
  const words = useActorWords()
  const me = useReader()
  const role = typeof actor === 'string' || actor.role === 'deleted' || actor.role === 'member' ? null : actor.role
  const isReader = typeof actor !== 'string' && actor.id === me?.id
  return (
    <span className="act-who">
      <b>{words(actor)}</b>
      {isReader ? <span className="t2"> {t('you')}</span> : null}
      {role === null || isReader ? null : <span className={`act-role act-role-${role}`}>{t(role)}</span>}
    </span>
  )
}
