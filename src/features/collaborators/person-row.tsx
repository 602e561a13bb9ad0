'use client'
import { Pencil, UserMinus } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Collaborator } from '#contracts/http/panel/collaborators.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { changesOnlyOwn } from '#domain/servers/permissions.ts'
import { formatDate } from '@/lib/format/date.ts'
import { initialsOf } from '@/lib/format/initials.ts'
import { useSeeing } from '@/lib/servers/use-seeing.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Avatar } from '@/ui/signs/avatar.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Mark } from '@/ui/surfaces/notice.tsx'
import { SeeAsButton } from './see-as-button.tsx'
import { useShareWords } from './use-share-words.ts'

type RowProps = {
  readonly name: string
  readonly mark?: string | undefined
  readonly email?: string | undefined
  /** The person's preset or number of permissions. */
  readonly can: ReactNode
  readonly times?: ReactNode
  readonly end?: ReactNode
}

/** One person: who, what they may do, since and until when, and what the reader can do about it. */
export const PersonLine = ({ name, mark, email, can, times, end }: RowProps) => (
  <li className="person">
    <Avatar pictureId={null} initials={initialsOf(name)} />
    <div className="person-who">
      <p className="person-name">
        <b>{name}</b>
        {mark === undefined ? null : <Mark>{mark}</Mark>}
      </p>
      {email ? <p className="small t2 person-mail">{email}</p> : null}
    </div>
    <div className="person-can">{can}</div>
    <div className="person-times small t2">{times}</div>
    <div className="person-acts">{end}</div>
  </li>
)

const Times = ({ person }: { person: Collaborator }) => {
  const t = useTranslations('collaborators')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const day = (instant: string) => formatDate(instant, locale, { style: 'date', timeZone })
  return (
    <>
      {person.expiresAt === null ? (
        <p>{t('since', { date: day(person.since) })}</p>
      ) : (
        <p>{t('pendingUntil', { date: day(person.expiresAt) })}</p>
      )}
      {person.endsAt === null ? null : <p>{t('ends', { date: day(person.endsAt) })}</p>}
    </>
  )
}

type PersonRowProps = {
  readonly serverId: string
  readonly person: Collaborator
  readonly own: readonly Permission[]
  readonly onEdit: (person: Collaborator) => void
  readonly onRemove: (person: Collaborator) => void
}

/** The actions that the reader has on a person. A reader who has less than the person changes nothing of theirs. */
const Actions = ({ serverId, person, own, onEdit, onRemove }: PersonRowProps) => {
  const t = useTranslations('collaborators')
  const isSeeing = useSeeing() !== null
  const name = person.username
  const isPending = person.state === 'pending'
  const mayChange = own.includes('user.update')
  const mayRemove = own.includes('user.remove')
  if (!mayChange && !mayRemove) return null
  if (!changesOnlyOwn(own, { before: person.permissions, after: [] })) {
    return <p className="small t3">{t('beyond')}</p>
  }
  return (
    <>
      {mayChange ? (
        <Button size="s" aria-label={t('editOf', { name })} onClick={() => onEdit(person)}>
          <Pencil className="i" aria-hidden />
          {t('edit')}
        </Button>
      ) : null}
      {mayChange && !isPending && !isSeeing ? <SeeAsButton serverId={serverId} person={person} /> : null}
      {mayRemove ? (
        <Button
          size="s"
          look="quiet"
          aria-label={t(isPending ? 'withdrawOf' : 'removeOf', { name })}
          onClick={() => onRemove(person)}
        >
          <UserMinus className="i" aria-hidden />
          {t(isPending ? 'withdraw' : 'remove')}
        </Button>
      ) : null}
    </>
  )
}

/** A person with a share or a pending invitation. `end` replaces the actions in the reader's own row. */
export const PersonRow = (props: PersonRowProps & { readonly isReader: boolean; readonly end?: ReactNode }) => {
  const { person, isReader, end } = props
  const t = useTranslations('collaborators')
  const { setWord } = useShareWords()
  return (
    <PersonLine
      name={person.username}
      mark={isReader ? t('you') : undefined}
      email={person.email}
      can={
        <>
          <p>{setWord(person.permissions)}</p>
          {person.state === 'pending' ? <Lamp kind="due">{t('pending')}</Lamp> : null}
        </>
      }
      times={<Times person={person} />}
      end={isReader ? end : <Actions {...props} />}
    />
  )
}
