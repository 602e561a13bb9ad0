'use client'
import { UserPlus, UsersRound } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import type { Collaborator, SharingRoom } from '#contracts/http/panel/collaborators.ts'
import type { Server } from '#contracts/http/server.ts'
import { MissingPermissions, missingOf } from '@/lib/servers/missing-permissions.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { LeaveButton } from './leave-button.tsx'
import { PersonLine, PersonRow } from './person-row.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import { RoomMeter } from './room-meter.tsx'
import { ShareDialog, type ShareSubject } from './share-dialog.tsx'
import { useSharing, type Sharing } from './use-collaborators.ts'
import { useShareWords } from './use-share-words.ts'

const InviteButton = ({ server, room, onInvite }: { server: Server; room: SharingRoom; onInvite: () => void }) => {
  const t = useTranslations('collaborators')
  const { permissionWord } = useShareWords()
  const noteId = useId()
  const mayInvite = server.permissions.includes('user.invite')
  const isFull = room.used >= room.limit
  return (
    <div className="person-invite">
      <Button
        look="primary"
        aria-disabled={!mayInvite || isFull || undefined}
        aria-describedby={mayInvite ? undefined : noteId}
        onClick={() => {
          if (mayInvite && !isFull) onInvite()
        }}
      >
        <UserPlus className="i" aria-hidden />
        {t('invite')}
      </Button>
      {mayInvite ? null : (
        <p className="small t2" id={noteId}>
          {t('needs', { permission: permissionWord('user.invite') })}
        </p>
      )}
    </div>
  )
}

type RemovalProps = { readonly person: Collaborator | null; readonly sharing: Sharing; readonly onClose: () => void }

const Removal = ({ person, sharing, onClose }: RemovalProps) => {
  const t = useTranslations('collaborators')
  const toast = useToast()
  const name = person?.username ?? ''
  const isPending = person?.state === 'pending'
  const { remove } = sharing
  const close = () => {
    remove.reset()
    onClose()
  }
  const act = () => {
    if (person === null) return
    const onSuccess = () => {
      toast({ text: t(isPending ? 'withdrawn' : 'removed', { name }), lamp: 'done' })
      close()
    }
    remove.mutate(person.id, { onSuccess })
  }
  return (
    <RemovalDialog
      open={person !== null}
      title={isPending ? t('removal.withdrawTitle') : t('removal.title', { name })}
      act={t(isPending ? 'withdraw' : 'remove')}
      keep={t(isPending ? 'removal.keepInvitation' : 'removal.keep')}
      isBusy={remove.isPending}
      failure={remove.error}
      onAct={act}
      onClose={close}
    >
      {t(isPending ? 'removal.withdrawText' : 'removal.text', { name })}
    </RemovalDialog>
  )
}

type PeoplePanelProps = {
  readonly server: Server
  readonly people: readonly Collaborator[]
  readonly room: SharingRoom
  readonly readerId: string
}

/** The people of a server, with the ways to invite, edit and remove them. */
export const PeoplePanel = ({ server, people, room, readerId }: PeoplePanelProps) => {
  const t = useTranslations('collaborators')
  const sharing = useSharing(server.id)
  const [subject, setSubject] = useState<ShareSubject | null>(null)
  const [removed, setRemoved] = useState<Collaborator | null>(null)
  const isOwner = server.owner.id === readerId
  const invite = <InviteButton server={server} room={room} onInvite={() => setSubject({ kind: 'invite' })} />
  return (
    <>
      <RoomMeter room={room} isOwner={isOwner} />
      <Panel title={t('list')} end={people.length > 0 ? invite : undefined}>
        <ul className="people">
          <PersonLine
            name={server.owner.username}
            mark={isOwner ? `${t('owner')} · ${t('you')}` : t('owner')}
            can={<p>{t('ownerCan')}</p>}
          />
          {people.map((person) => (
            <PersonRow
              key={person.id}
              serverId={server.id}
              person={person}
              own={server.permissions}
              isReader={person.id === readerId}
              end={<LeaveButton server={server} userId={readerId} />}
              onEdit={(edited) => setSubject({ kind: 'edit', person: edited })}
              onRemove={setRemoved}
            />
          ))}
        </ul>
        {people.some(({ id }) => id !== readerId) ? (
          <MissingPermissions missing={missingOf(server, ['user.update', 'user.remove'])} />
        ) : null}
        {people.length === 0 ? (
          <EmptyState
            picture={<UsersRound className="people-picture" aria-hidden />}
            title={t('emptyTitle')}
            action={invite}
          >
            {t('empty')}
          </EmptyState>
        ) : null}
      </Panel>
      <ShareDialog
        subject={subject}
        people={people}
        own={server.permissions}
        ownEnd={room.ownEnd}
        sharing={sharing}
        onClose={() => setSubject(null)}
      />
      <Removal person={removed} sharing={sharing} onClose={() => setRemoved(null)} />
    </>
  )
}
