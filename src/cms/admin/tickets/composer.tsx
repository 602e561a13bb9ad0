'use client'

import { Button, useAuth } from '@payloadcms/ui'
import { useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { TICKET_BOUNDS, TicketReply } from '#contracts/http/ticket.ts'
import { AttachButton, AttachedFiles } from '@/lib/attachments/attached-files.tsx'
import { useFileIntake } from '@/lib/attachments/file-intake.ts'
import { useAttachments, type Attachments } from '@/lib/attachments/use-attachments.ts'
import { words } from '../../fields/languages.ts'
import { actAsAdmin, type Refused } from '../money/ask-admin.ts'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { NoteSign } from './note-sign.tsx'
import { COMPOSER_MODES, ticketDrafts, type ComposerMode } from './ticket-drafts.ts'
import { useAttachmentWords } from './use-attachment-words.ts'

const own = {
  mode: words('What you write', 'Mit írsz?', 'Was schreibst du?'),
  modes: {
    reply: words('Reply to the customer', 'Válasz az ügyfélnek', 'Antwort an den Kunden'),
    note: words('Internal note', 'Belső jegyzet', 'Interne Notiz'),
  },
  send: {
    reply: words('Send the reply', 'Válasz elküldése', 'Antwort senden'),
    note: words('Save the internal note', 'Belső jegyzet mentése', 'Interne Notiz speichern'),
  },
  hint: {
    reply: words(
      'The customer reads this. Send it with Ctrl+Enter.',
      'Ezt az ügyfél is olvassa. Elküldés: Ctrl+Enter.',
      'Das liest der Kunde. Senden mit Strg+Enter.',
    ),
    note: words(
      'Only staff read this. Save it with Ctrl+Enter.',
      'Ezt csak a munkatársak olvassák. Mentés: Ctrl+Enter.',
      'Das lesen nur Mitarbeiter. Speichern mit Strg+Enter.',
    ),
  },
  closed: words(
    'This ticket is closed. Reopen it to reply.',
    'Ez a hibajegy le van zárva. A válaszhoz nyisd újra.',
    'Dieses Ticket ist geschlossen. Öffne es wieder, um zu antworten.',
  ),
  old: words(
    "This ticket was closed more than 30 days ago, so it can't be reopened.",
    'Ezt a hibajegyet több mint 30 napja lezárták, ezért nem nyitható újra.',
    'Dieses Ticket wurde vor mehr als 30 Tagen geschlossen und lässt sich nicht wieder öffnen.',
  ),
  empty: words('Write something first.', 'Előbb írj valamit.', 'Schreib zuerst etwas.'),
}

const sentenceOf = (refused: Refused, say: ReturnType<typeof useAdminLanguage>['say']): string =>
  refused.isUnknown ? say(common.unknown) : refused.message

/** The text and the files of each mode, as they were left in this browser. */
const useDraft = (ticketId: string, mode: ComposerMode) => {
  const userId = String(useAuth().user?.id ?? '')
  const files = useAttachments({ userId, message: `${ticketId}:${mode}` })
  const place = (of: ComposerMode) => ({ userId, ticketId, mode: of })
  const [drafts, setDrafts] = useState(() => ({
    reply: ticketDrafts.read(place('reply')),
    note: ticketDrafts.read(place('note')),
  }))
  return {
    files,
    text: drafts[mode],
    write: (of: ComposerMode, next: string) => {
      setDrafts((known) => ({ ...known, [of]: next }))
      ticketDrafts.keep(place(of), next)
    },
  }
}

type Sending = Pick<Props, 'ticketId' | 'reload'> & {
  readonly mode: ComposerMode
  readonly text: string
  readonly files: Attachments
}

/** Sends what is written, once for each attempt: the same text again after a lost answer is the same message. */
const useSending = (write: ReturnType<typeof useDraft>['write']) => {
  const { say } = useAdminLanguage()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const send = async ({ ticketId, mode, text, files, reload }: Sending) => {
    const input = TicketReply.safeParse({ message: text, ...files.body() })
    if (!input.success) return setFault(say(own.empty))
    if (isRunning.current || !files.mayGo()) return
    isRunning.current = true
    setBusy(true)
    setFault(undefined)
    const name = mode === 'reply' ? 'POST /api/ticket/{id}/messages' : 'POST /api/ticket/{id}/notes'
    const answer = await actAsAdmin(name, { id: ticketId, input: input.data })
    await reload()
    if (answer.ok) {
      write(mode, '')
      files.sent()
    } else if (!files.refused(answer.fields)) setFault(sentenceOf(answer, say))
    isRunning.current = false
    setBusy(false)
  }
  return { fault, isBusy, send, forgive: () => setFault(undefined) }
}

type ModesProps = {
  readonly mode: ComposerMode
  readonly isBusy: boolean
  readonly onChoose: (mode: ComposerMode) => void
}

const Modes = ({ mode, isBusy, onChoose }: ModesProps) => {
  const { say } = useAdminLanguage()
  return (
    <div role="group" aria-label={say(own.mode)} className="bakter-modes">
      {COMPOSER_MODES.map((each) => (
        <button key={each} type="button" aria-pressed={each === mode} disabled={isBusy} onClick={() => onChoose(each)}>
          {each === 'note' ? <NoteSign /> : null}
          {say(own.modes[each])}
        </button>
      ))}
    </div>
  )
}

type FootProps = { readonly mode: ComposerMode; readonly files: Attachments; readonly isBusy: boolean }

/** The files of a text, and what is done with both. */
const ComposerFoot = ({ mode, files, isBusy }: FootProps) => {
  const { say } = useAdminLanguage()
  const fileWords = useAttachmentWords()
  return (
    <>
      <AttachedFiles files={files} words={fileWords} isBusy={isBusy} />
      <div className="bakter-composer-acts">
        <Button type="submit" size="medium" margin={false} disabled={isBusy}>
          {say(isBusy ? common.loading : own.send[mode])}
        </Button>
        <AttachButton files={files} words={fileWords} isBusy={isBusy} className="bakter-attach" />
      </div>
    </>
  )
}

type Props = {
  readonly ticketId: string
  readonly isClosed: boolean
  readonly canReopen: boolean
  readonly reload: () => Promise<unknown>
}

/** Where staff write: a reply, or a note that looks different and has a text of its own. */
export const Composer = ({ ticketId, isClosed, canReopen, reload }: Props) => {
  const { say } = useAdminLanguage()
  const [mode, setMode] = useState<ComposerMode>('reply')
  const { text, files, write } = useDraft(ticketId, mode)
  const { fault, isBusy, send, forgive } = useSending(write)
  const intake = useFileIntake(files.add, isBusy)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    void send({ ticketId, mode, text, files, reload }).then(() => field.current?.focus())
  }
  const choose = (next: ComposerMode) => {
    setMode(next)
    forgive()
    field.current?.focus()
  }
  const isStopped = mode === 'reply' && isClosed
  return (
    <form
      className="bakter-composer"
      data-mode={mode}
      noValidate
      onSubmit={submit}
      aria-label={say(own.modes[mode])}
      {...(isStopped ? {} : intake)}
    >
      <Modes mode={mode} isBusy={isBusy} onChoose={choose} />
      {isStopped ? (
        <p>{say(canReopen ? own.closed : own.old)}</p>
      ) : (
        <>
          <label htmlFor={id}>{say(own.modes[mode])}</label>
          <textarea
            ref={field}
            id={id}
            rows={6}
            maxLength={TICKET_BOUNDS.message}
            value={text}
            readOnly={isBusy}
            aria-describedby={`${id}-hint${fault === undefined ? '' : ` ${id}-fault`}`}
            aria-invalid={fault !== undefined}
            onChange={({ target }) => {
              forgive()
              write(mode, target.value)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
            }}
          />
          <p id={`${id}-hint`} className="bakter-hint">
            {say(own.hint[mode])}
          </p>
          {fault === undefined ? null : (
            <p id={`${id}-fault`} className="bakter-fault" role="alert">
              {fault}
            </p>
          )}
          <ComposerFoot key={mode} mode={mode} files={files} isBusy={isBusy} />
        </>
      )}
    </form>
  )
}
