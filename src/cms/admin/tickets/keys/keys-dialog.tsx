'use client'

import { Button } from '@payloadcms/ui'
import { useEffect, useId, useRef } from 'react'
import { words, type Words } from '../../../fields/languages.ts'
import { useAdminLanguage } from '../../money/use-admin-language.ts'
import { texts } from '../ticket-words.ts'

const KEYS: readonly (readonly [keys: readonly string[], text: Words])[] = [
  [['J', '↓'], words('Next ticket', 'Következő hibajegy', 'Nächstes Ticket')],
  [['K', '↑'], words('Previous ticket', 'Előző hibajegy', 'Vorheriges Ticket')],
  [['Enter'], words('Open', 'Megnyitás', 'Öffnen')],
  [['A'], texts.take],
  [
    ['E'],
    words('Close, or reopen a closed one', 'Lezárás, lezártnál újranyitás', 'Schließen, geschlossene wieder öffnen'),
  ],
  [['R'], words('Reply', 'Válasz', 'Antworten')],
  [['M'], words('Reply with a saved reply', 'Válasz mentett válasszal', 'Mit gespeicherter Antwort antworten')],
  [['/'], words('Search', 'Keresés', 'Suchen')],
  [['?'], words('These shortcuts', 'Ezek a billentyűparancsok', 'Diese Tastenkürzel')],
  [['Ctrl + K'], words('Insert a saved reply', 'Mentett válasz beillesztése', 'Gespeicherte Antwort einfügen')],
  [['Ctrl + Enter'], words('Send a reply or a note', 'Válasz vagy jegyzet elküldése', 'Antwort oder Notiz senden')],
]

/** The keys of the queue. They work while a ticket of the list has the focus. */
export const KeysDialog = ({ title, onClose }: { readonly title: Words; readonly onClose: () => void }) => {
  const { say } = useAdminLanguage()
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => box.current?.showModal(), [])
  return (
    <dialog ref={box} className="bakter-dialog" aria-labelledby={id} onClose={onClose}>
      <form method="dialog">
        <h2 id={id}>{say(title)}</h2>
        <dl className="bakter-keys">
          {KEYS.map(([keys, text]) => (
            <div key={text.en}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{say(text)}</dd>
            </div>
          ))}
        </dl>
        <p className="bakter-quiet">
          {say(
            words(
              'Except for those with Ctrl, they work while a ticket in the list is focused.',
              'A Ctrl-os parancsok kivételével akkor működnek, amikor a lista egyik hibajegye van fókuszban.',
              'Außer denen mit Strg gelten sie, solange ein Ticket der Liste den Fokus hat.',
            ),
          )}
        </p>
        <Button type="submit" size="medium" buttonStyle="secondary">
          {say(words('Close', 'Bezárás', 'Schließen'))}
        </Button>
      </form>
    </dialog>
  )
}
