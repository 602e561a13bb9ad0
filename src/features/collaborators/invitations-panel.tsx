'use client'
import { Check, X } from 'lucide-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ServerInvitation } from '#contracts/http/panel/collaborators.ts'
import { OFFERED_PERMISSIONS } from '#contracts/panel/offered-permissions.ts'
import { Nothing } from '#contracts/primitives.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Picture } from '@/lib/pictures/picture.tsx'
import { invitationsQuery } from '@/lib/queries/invitations-query.ts'
import { keys } from '@/lib/queries/queries.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { useShareWords } from './use-share-words.ts'

type Answer = 'accept' | 'decline'

const useAnswer = ({ serverId, serverName }: ServerInvitation) => {
  const t = useTranslations('collaborators.invitations')
  const client = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (answer: Answer) =>
      api.call(`/api/user/invitations/${encodeURIComponent(serverId)}/${answer}`, {
        method: 'POST',
        body: {},
        schema: Nothing,
      }),
    onSuccess: (_, answer) => {
      toast({ text: t(answer === 'accept' ? 'accepted' : 'declined', { name: serverName }), lamp: 'done' })
      return Promise.all([
        client.invalidateQueries({ queryKey: invitationsQuery().queryKey }),
        client.invalidateQueries({ queryKey: keys.servers }),
      ])
    },
  })
}

const Invitation = ({ invitation }: { invitation: ServerInvitation }) => {
  const t = useTranslations('collaborators.invitations')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const { setWord, permissionWord, failureWord } = useShareWords()
  const answer = useAnswer(invitation)
  const { serverName: name, owner, invitedBy: person, permissions, endsAt, expiresAt, pictures } = invitation
  const day = (instant: string) => formatDate(instant, locale, { style: 'date', timeZone })
  const failureText = (failure: unknown): string => {
    const code = failure instanceof ApiFailure ? failure.code : null
    if (code === 'NOT_FOUND') return t('gone')
    return code === 'COLLABORATOR_LIMIT' ? t('full', { owner }) : failureWord(failure)
  }
  return (
    <li className="invitation">
      <Picture path={pictures.icon} width={48} height={48} className="invitation-icon" />
      <div className="invitation-what">
        <h3>{name}</h3>
        <p>{person === owner ? t('from', { person }) : t('owned', { person, owner })}</p>
        <p className="small t2">
          {endsAt === null ? null : `${t('ends', { date: day(endsAt) })} · `}
          {t('until', { date: day(expiresAt) })}
        </p>
        <details className="small">
          <summary>
            {t('what')}: {setWord(permissions)}
          </summary>
          <ul className="invitation-keys">
            {permissions
              .filter((key) => OFFERED_PERMISSIONS.includes(key))
              .map((key) => (
                <li key={key}>{permissionWord(key)}</li>
              ))}
          </ul>
        </details>
        {answer.isError ? (
          <Notice tone="stop" role="alert">
            {failureText(answer.error)}
          </Notice>
        ) : null}
      </div>
      <div className="invitation-acts">
        <Button
          look="primary"
          aria-label={t('acceptOf', { name })}
          busy={answer.isPending && answer.variables === 'accept'}
          onClick={() => answer.mutate('accept')}
        >
          <Check className="i" aria-hidden />
          {t('accept')}
        </Button>
        <Button
          aria-label={t('declineOf', { name })}
          busy={answer.isPending && answer.variables === 'decline'}
          onClick={() => answer.mutate('decline')}
        >
          <X className="i" aria-hidden />
          {t('decline')}
        </Button>
      </div>
    </li>
  )
}

/** The invitations that wait for the reader's answer; nothing without one. */
export const InvitationsPanel = () => {
  const t = useTranslations('collaborators.invitations')
  const invitations = useQuery(invitationsQuery()).data ?? []
  if (invitations.length === 0) return null
  return (
    <Panel title={t('title')} className="invitations">
      <ul>
        {invitations.map((invitation) => (
          <Invitation key={invitation.serverId} invitation={invitation} />
        ))}
      </ul>
    </Panel>
  )
}
