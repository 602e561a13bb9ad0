'use client'

import { Button, useAuth } from '@payloadcms/ui'
import { useEffect, useId, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { TICKET_BOUNDS, TicketReply, type Ticket } from '#contracts/http/ticket.ts'
import { openPlaceholders } from '#domain/tickets/canned-reply.ts'
import { AttachButton, AttachedFiles } from '@/lib/attachments/attached-files.tsx'
import { useFileIntake } from '@/lib/attachments/file-intake.ts'
import { useAttachments, type Attachments } from '@/lib/attachments/use-attachments.ts'
import type { TicketSign } from '#domain/tickets/ticket-sign.ts'
import { useIsWriting, useOwnSign } from '@/lib/realtime/use-ticket-signs.ts'
import { words } from '../../fields/languages.ts'
import { actAsAdmin, type Refused } from '../money/ask-admin.ts'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { NoteSign } from './note-sign.tsx'
import { SavedRepliesDialog } from './saved-replies-dialog.tsx'
import { COMPOSER_MODES, ticketDrafts, type ComposerMode } from './ticket-drafts.ts'
import { useAttachmentWords } from './use-attachment-words.ts'
import { takenWritingPlace } from './keys/writing-place.ts'

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
      'The customer reads this. Insert a saved reply with Ctrl+K, send with Ctrl+Enter.',
      'Ezt az ügyfél is olvassa. Mentett válasz: Ctrl+K, elküldés: Ctrl+Enter.',
      'Das liest der Kunde. Gespeicherte Antwort mit Strg+K, senden mit Strg+Enter.',
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
  insert: words('Saved replies…', 'Mentett válaszok…', 'Gespeicherte Antworten…'),
  unfilled: words(
    'Fill in {found} or remove it. The customer would read it like this.',
    'Töltsd ki vagy töröld ezt: {found}. Az ügyfél így olvasná.',
    'Fülle {found} aus oder entferne es. Der Kunde würde es so lesen.',
  ),
  tooLong: words(
    'The saved reply does not fit any more.',
    'A mentett válasz már nem fér bele.',
    'Die gespeicherte Antwort passt nicht mehr hinein.',
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

/** The sign that colleagues get of this form: its person writes, has it open, or left a text in it. */
const useFormSign = (ticketId: string, mode: ComposerMode, text: string) => {
  const isWriting = useIsWriting(text, mode)
  const [isInside, setInside] = useState(false)
  const [isTouched, setTouched] = useState(false)
  if (isWriting && !isTouched) setTouched(true)
  const isAtWork = isWriting || isInside || (isTouched && text.trim() !== '')
  const sign: TicketSign = mode === 'note' ? 'noting' : isWriting ? 'writing' : 'answering'
  useOwnSign(ticketId, isAtWork ? sign : null)
  return {
    onFocus: () => setInside(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) =>
      setInside(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
  }
}

type Sending = Pick<Props, 'reload'> & {
  readonly ticketId: string
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
    const open = mode === 'reply' ? openPlaceholders(text) : []
    if (open.length > 0) return setFault(say(own.unfilled).replace('{found}', () => open.join(', ')))
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
  return { fault, isBusy, send, setFault }
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

type FootProps = {
  readonly mode: ComposerMode
  readonly files: Attachments
  readonly isBusy: boolean
  readonly insert: () => void
}

/** The files of a text, and what is done with both. */
const ComposerFoot = ({ mode, files, isBusy, insert }: FootProps) => {
  const { say } = useAdminLanguage()
  const fileWords = useAttachmentWords()
  return (
    <>
      <AttachedFiles files={files} words={fileWords} isBusy={isBusy} />
      <div className="bakter-composer-acts">
        <Button type="submit" size="medium" margin={false} disabled={isBusy}>
          {say(isBusy ? common.loading : own.send[mode])}
        </Button>
        {mode === 'reply' ? (
          <Button type="button" buttonStyle="secondary" size="medium" margin={false} disabled={isBusy} onClick={insert}>
            {say(own.insert)}
          </Button>
        ) : null}
        <AttachButton files={files} words={fileWords} isBusy={isBusy} className="bakter-attach" />
      </div>
    </>
  )
}

type Props = {
  readonly ticket: Ticket
  readonly canReopen: boolean
  readonly reload: () => Promise<unknown>
}

/** Where staff write: a reply, or a note that looks different and has a text of its own. */
export const Composer = ({ ticket, canReopen, reload }: Props) => {
  const { say } = useAdminLanguage()
  const [mode, setMode] = useState<ComposerMode>('reply')
  const { text, files, write } = useDraft(ticket.id, mode)
  const { fault, isBusy, send, setFault } = useSending(write)
  const intake = useFileIntake(files.add, isBusy)
  const [isChoosing, setChoosing] = useState(false)
  const working = useFormSign(ticket.id, mode, text)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const place = takenWritingPlace()
    if (place === undefined || field.current === null) return
    field.current.focus()
    if (place === 'saved reply') setChoosing(true)
  }, [])
  const submit = () => void send({ ticketId: ticket.id, mode, text, files, reload }).then(() => field.current?.focus())
  const change = (next: string) => {
    setFault(undefined)
    write(mode, next)
  }
  const choose = (next: ComposerMode) => {
    setMode(next)
    setFault(undefined)
    field.current?.focus()
  }
  const pick = (reply: string) => {
    if (field.current !== null && !insertInto(field.current, reply, change)) setFault(say(own.tooLong))
  }
  const isStopped = mode === 'reply' && ticket.status === 'closed'
  const insert = () => setChoosing(true)
  return (
    <>
      <form
        className="bakter-composer"
        data-mode={mode}
        noValidate
        aria-label={say(own.modes[mode])}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        {...(isStopped ? {} : { ...intake, ...working })}
      >
        <Modes mode={mode} isBusy={isBusy} onChoose={choose} />
        {isStopped ? (
          <p>{say(canReopen ? own.closed : own.old)}</p>
        ) : (
          <>
            <Writing {...{ mode, text, fault, isBusy, field, change, submit, insert }} />
            <ComposerFoot key={mode} {...{ mode, files, isBusy, insert }} />
          </>
        )}
      </form>
      {isChoosing ? <SavedRepliesDialog ticket={ticket} onPick={pick} onClose={() => setChoosing(false)} /> : null}
    </>
  )
}

type WritingProps = {
  readonly mode: ComposerMode
  readonly text: string
  readonly fault: string | undefined
  readonly isBusy: boolean
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly change: (next: string) => void
  readonly submit: () => void
  readonly insert: () => void
}

/** Puts a text in place of the selection, with the cursor behind it. False when there is no room for it. */
const insertInto = (field: HTMLTextAreaElement, inserted: string, change: WritingProps['change']): boolean => {
  const { value, selectionStart, selectionEnd } = field
  const next = `${value.slice(0, selectionStart)}${inserted}${value.slice(selectionEnd)}`
  if (next.length > TICKET_BOUNDS.message) return false
  // The cursor goes to its place once the field has the text.
  flushSync(() => change(next))
  field.focus()
  field.setSelectionRange(selectionStart + inserted.length, selectionStart + inserted.length)
  return true
}

/** The field of a reply or a note, with what is said about it. */
const Writing = ({ mode, text, fault, isBusy, field, change, submit, insert }: WritingProps) => {
  const { say } = useAdminLanguage()
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    if (event.key !== 'Enter' && (event.key.toLowerCase() !== 'k' || mode !== 'reply')) return
    event.preventDefault()
    if (event.key === 'Enter') submit()
    else if (!isBusy) insert()
  }
  return (
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
        onChange={({ target }) => change(target.value)}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}-hint`} className="bakter-hint">
        {say(own.hint[mode])}
      </p>
      {fault === undefined ? null : (
        <p id={`${id}-fault`} className="bakter-fault" role="alert">
          {fault}
        </p>
      )}
    </>
  )
}
