'use client'
import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { Collaborator } from '#contracts/http/panel/collaborators.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { ShareForm, type ShareDraft } from './share-form.tsx'
import type { Sharing } from './use-collaborators.ts'

/** The dialog asks for an invitation, or changes the share of a person as it was when it opened. */
export type ShareSubject = { readonly kind: 'invite' } | { readonly kind: 'edit'; readonly person: Collaborator }

type ShareDialogProps = {
  /** Null: closed. */
  readonly subject: ShareSubject | null
  readonly people: readonly Collaborator[]
  readonly own: readonly Permission[]
  readonly ownEnd: string | null
  readonly sharing: Sharing
  readonly onClose: () => void
}

const OpenForm = ({ subject, people, own, ownEnd, sharing, onClose }: ShareDialogProps & { subject: ShareSubject }) => {
  const t = useTranslations('collaborators')
  const toast = useToast()
  // A change by somebody else does not take what is typed; the form begins again with it when the reader says so.
  const [edited, setEdited] = useState(subject.kind === 'edit' ? subject.person : null)
  const [version, setVersion] = useState(0)
  const refresh = () => {
    setEdited(people.find(({ id }) => id === edited?.id) ?? null)
    setVersion(version + 1)
  }
  const send = async ({ email, permissions, endsAt }: ShareDraft) => {
    if (edited === null) {
      const { username } = await sharing.invite.mutateAsync({ email, permissions, endsAt })
      toast({ text: t('invited', { name: username }), lamp: 'done' })
      return
    }
    const seen = { permissions: edited.permissions, endsAt: edited.endsAt }
    await sharing.change.mutateAsync({ userId: edited.id, permissions, endsAt, seen })
    toast({ text: t('saved', { name: edited.username }), lamp: 'done' })
  }
  return (
    <ShareForm
      key={version}
      person={edited}
      own={own}
      ownEnd={ownEnd}
      onSend={send}
      onRefresh={refresh}
      onClose={onClose}
    />
  )
}

/** Invites a person, or changes what one may do. */
export const ShareDialog = (props: ShareDialogProps) => {
  const t = useTranslations('collaborators.dialog')
  const tc = useTranslations('common')
  const { subject, onClose } = props
  const title = subject?.kind === 'edit' ? t('edit', { name: subject.person.username }) : t('invite')
  return (
    <Dialog open={subject !== null} onClose={onClose} title={title} closeLabel={tc('close')} className="share-dialog">
      {subject === null ? null : <OpenForm {...props} subject={subject} />}
    </Dialog>
  )
}
