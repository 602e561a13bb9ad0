'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { TicketMessage, TicketReply } from '#contracts/http/ticket.ts'
import type { TicketView } from '#contracts/http/ticket.ts'
import { useAttachments } from '@/lib/attachments/use-attachments.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useKeyedMutation } from '@/lib/browser-client/use-keyed-mutation.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { keys } from '@/lib/queries/queries.ts'
import { useIsWriting, useOwnSign } from '@/lib/realtime/use-ticket-signs.ts'
import { ticketPath } from '../ticket-queries.ts'
import { MessageBox } from '../writing/message-box.tsx'
import { SendButton } from '../writing/send-button.tsx'
import { ticketDrafts } from '../writing/ticket-draft.ts'
import { useDraftOf, useKeptDraft } from '../writing/use-kept-draft.ts'
import { TicketFailure } from './ticket-failure.tsx'
import { withLine } from './ticket-lines.ts'

/** The input of a reply. Typed text stays through failures and reloads, until it is sent. */
export const ReplyForm = ({ ticketId, userId, isOpener }: { ticketId: string; userId: string; isOpener: boolean }) => {
  const t = useTranslations('tickets')
  const tw = useTranslations('tickets.writing')
  const client = useQueryClient()
  const place = { userId, ticket: ticketId }
  const draft = useDraftOf(place)
  const files = useAttachments({ userId, message: ticketId })
  const reply = useKeyedMutation({
    path: `${ticketPath(ticketId)}/messages`,
    schema: TicketMessage,
    outlivesReload: true,
    onRefused: (refusal) => files.refused(refusal instanceof ApiFailure ? refusal.fields : {}),
    stale: [keys.ticket(ticketId), keys.tickets],
  })
  const { form, submit, failure, isBusy, errorOf } = useApiForm({
    schema: TicketReply,
    defaultValues: { message: draft.message ?? '' },
    fields: ['message', 'attachments'],
    send: (body: { message: string }) => reply.mutateAsync({ ...body, ...files.body() }),
    onDone: (line, { reset }) => {
      ticketDrafts.forget(place)
      files.sent()
      client.setQueryData<TicketView>(keys.ticket(ticketId), (known) => known && withLine(known, line))
      reset({ message: '' })
    },
  })
  const message = form.watch('message')
  const isKept = useKeptDraft(place, { message })
  useOwnSign(ticketId, useIsWriting(message, ticketId) ? 'writing' : null)
  const field = form.register('message')
  const error = errorOf('message')
  return (
    <form
      className="tk-reply"
      noValidate
      onSubmit={(event) => void (files.mayGo() ? submit(event) : event.preventDefault())}
    >
      <MessageBox
        label={t('reply')}
        hint={tw('replyHint')}
        value={message}
        error={error === undefined ? undefined : message.trim() === '' ? t('writeMessage') : error}
        note={isKept ? tw('kept') : null}
        inputRef={field.ref}
        onChange={(text) => form.setValue('message', text, { shouldValidate: form.formState.isSubmitted })}
        send={<SendButton busy={isBusy}>{t('send')}</SendButton>}
        files={files}
        isBusy={isBusy}
      />
      {failure === null ? null : <TicketFailure failure={failure} ticketId={ticketId} isOpener={isOpener} />}
    </form>
  )
}
