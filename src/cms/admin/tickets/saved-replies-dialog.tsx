'use client'

import { Button } from '@payloadcms/ui'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { words } from '../../fields/languages.ts'
import { ReadFailure } from '../money/money-table.tsx'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { CANNED_REPLIES_PATH } from '../ticket-area.ts'
import { useSavedReplies } from './saved-replies.ts'

const own = {
  title: words('Insert a saved reply', 'Mentett válasz beillesztése', 'Gespeicherte Antwort einfügen'),
  search: words('Search', 'Keresés', 'Suche'),
  list: words('Saved replies', 'Mentett válaszok', 'Gespeicherte Antworten'),
  none: words('No saved reply matches.', 'Nincs ilyen mentett válasz.', 'Keine gespeicherte Antwort passt.'),
  empty: words(
    'There are no saved replies yet.',
    'Még nincs mentett válasz.',
    'Es gibt noch keine gespeicherten Antworten.',
  ),
  manage: words('Edit saved replies', 'Mentett válaszok szerkesztése', 'Gespeicherte Antworten bearbeiten'),
}

const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

type Props = {
  readonly ticket: Ticket
  readonly onPick: (text: string) => void
  readonly onClose: () => void
}

/** Finds a saved reply by typing and inserts it: Enter takes the first one, the arrows and Tab go through them. */
export const SavedRepliesDialog = ({ ticket, onPick, onClose }: Props) => {
  const { say } = useAdminLanguage()
  const { replies = [], isReady, isFailed, again } = useSavedReplies(ticket)
  const [text, setText] = useState('')
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => box.current?.showModal(), [])
  const found = replies.filter((reply) => fold(`${reply.title} ${reply.text}`).includes(fold(text.trim())))
  const pick = (reply: (typeof found)[number] | undefined) => {
    if (reply === undefined || !isReady) return
    box.current?.close()
    onPick(reply.text)
  }
  return (
    <dialog ref={box} className="bakter-dialog" aria-labelledby={id} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          pick(found[0])
        }}
      >
        <h2 id={id}>{say(own.title)}</h2>
        <div className="bakter-field">
          <label htmlFor={`${id}-search`}>{say(own.search)}</label>
          <input
            id={`${id}-search`}
            type="search"
            autoComplete="off"
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={stepThrough}
          />
        </div>
        {isFailed ? <ReadFailure again={again} /> : null}
        {isReady || isFailed ? null : <p role="status">{say(common.loading)}</p>}
        {isReady && found.length === 0 ? <p role="status">{say(replies.length === 0 ? own.empty : own.none)}</p> : null}
        {isReady && found.length > 0 ? (
          <ul className="bakter-replies" aria-label={say(own.list)}>
            {found.map((reply) => (
              <li key={reply.id}>
                <button type="button" onClick={() => pick(reply)} onKeyDown={stepThrough}>
                  <b>{reply.title}</b>
                  <span>{reply.text}</span>
                </button>
              </li>
            ))}
          </ul>
        ) : null}
        <div className="bakter-ways">
          <Button type="button" size="medium" buttonStyle="secondary" onClick={() => box.current?.close()}>
            {say(common.cancel)}
          </Button>
          <a href={CANNED_REPLIES_PATH}>{say(own.manage)}</a>
        </div>
      </form>
    </dialog>
  )
}

/** Moves the focus from the search to the first reply and from one reply to the next; up from the first one is the search. */
const stepThrough = (event: KeyboardEvent<HTMLElement>) => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const form = event.currentTarget.closest('form')
  const stops = [...(form?.querySelectorAll<HTMLElement>('input, .bakter-replies button') ?? [])]
  const next = stops[stops.indexOf(event.currentTarget) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
