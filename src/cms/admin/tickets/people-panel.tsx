'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState } from 'react'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { words } from '../../fields/languages.ts'
import { ActDialog } from '../money/act-dialog.tsx'
import { actAsAdmin } from '../money/ask-admin.ts'
import { PersonPicker } from '../money/person-picker.tsx'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import type { FoundPerson } from '../money/use-people.ts'
import { outcomeOf } from './act-outcome.ts'
import { texts } from './ticket-words.ts'

const own = {
  title: words('Added people', 'Hozzáadott felhasználók', 'Hinzugefügte Personen'),
  none: words(
    'Only the customer and staff see this ticket.',
    'Ezt a hibajegyet csak az ügyfél és a munkatársak látják.',
    'Nur der Kunde und Mitarbeiter sehen dieses Ticket.',
  ),
  add: words('Add a person…', 'Felhasználó hozzáadása…', 'Person hinzufügen…'),
  addTitle: words(
    'Add a person to this ticket',
    'Felhasználó hozzáadása a hibajegyhez',
    'Person zum Ticket hinzufügen',
  ),
  addText: words(
    'They can read all messages of this ticket, without internal notes, and reply.',
    'Az összes üzenetet olvashatja, a belső jegyzeteket nem, és válaszolhat.',
    'Die Person kann alle Nachrichten lesen, aber keine internen Notizen, und antworten.',
  ),
  addAct: words('Add', 'Hozzáadás', 'Hinzufügen'),
  choose: words('Choose a person first.', 'Előbb válassz valakit.', 'Wähle zuerst eine Person.'),
  isOpener: words(
    "{who} opened this ticket or can't be added.",
    '{who} nyitotta meg ezt a hibajegyet, vagy nem adható hozzá.',
    '{who} hat dieses Ticket geöffnet oder kann nicht hinzugefügt werden.',
  ),
  added: words('{who} was added.', 'Hozzáadva: {who}.', '{who} wurde hinzugefügt.'),
  remove: words('Remove', 'Eltávolítás', 'Entfernen'),
  removeOf: words('Remove {who}', '{who} eltávolítása', '{who} entfernen'),
  removeTitle: words(
    'Remove {who} from this ticket?',
    '{who} eltávolítása a hibajegyről?',
    '{who} aus dem Ticket entfernen?',
  ),
  removeText: words(
    "They can't read this ticket any more. Their messages stay.",
    'Nem olvashatja tovább a hibajegyet. Az üzenetei megmaradnak.',
    'Die Person kann das Ticket nicht mehr lesen. Was sie geschrieben hat, bleibt.',
  ),
  removed: words('{who} was removed.', 'Eltávolítva: {who}.', '{who} wurde entfernt.'),
}

type Props = {
  readonly ticket: Ticket
  readonly isAdmin: boolean
  readonly reload: () => Promise<unknown>
}
type DialogProps = Props & { readonly onClose: () => void }
type Person = Ticket['addedUsers'][number]

/** Those who read and write in a ticket beside its customer. */
export const PeoplePanel = (props: Props) => {
  const { say } = useAdminLanguage()
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Person | null>(null)
  const { addedUsers } = props.ticket
  const nameOf = ({ username }: Person) => username || say(texts.erased)
  return (
    <section aria-label={say(own.title)}>
      <h2>{say(own.title)}</h2>
      {addedUsers.length === 0 ? <p className="bakter-quiet">{say(own.none)}</p> : null}
      {addedUsers.length === 0 ? null : (
        <ul className="bakter-people">
          {addedUsers.map((person) => (
            <li key={person.id}>
              <span>{nameOf(person)}</span>
              <Button
                buttonStyle="secondary"
                size="small"
                margin={false}
                aria-label={say(own.removeOf).replace('{who}', () => nameOf(person))}
                onClick={() => setLeaving(person)}
              >
                {say(own.remove)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button buttonStyle="secondary" size="medium" margin={false} onClick={() => setAdding(true)}>
        {say(own.add)}
      </Button>
      {isAdding ? <AddDialog {...props} onClose={() => setAdding(false)} /> : null}
      {leaving === null ? null : <RemoveDialog {...props} person={leaving} onClose={() => setLeaving(null)} />}
    </section>
  )
}

const AddDialog = ({ ticket: { id }, isAdmin, reload, onClose }: DialogProps) => {
  const { say } = useAdminLanguage()
  const [person, setPerson] = useState<FoundPerson | null>(null)
  const confirm = async () => {
    if (person === null) return say(own.choose)
    const answer = await actAsAdmin('POST /api/ticket/{id}/people', { id, input: { userId: person.id } })
    await reload()
    if (answer.ok) toast.success(say(own.added).replace('{who}', () => person.username))
    else if (answer.code === 'VALIDATION') return say(own.isOpener).replace('{who}', () => person.username)
    return outcomeOf(answer)
  }
  return (
    <ActDialog title={say(own.addTitle)} confirm={say(own.addAct)} onConfirm={confirm} onClose={onClose}>
      <p>{say(own.addText)}</p>
      <PersonPicker value={person} onChange={setPerson} withAddress={isAdmin} />
    </ActDialog>
  )
}

const RemoveDialog = ({ ticket: { id }, person, reload, onClose }: DialogProps & { readonly person: Person }) => {
  const { say } = useAdminLanguage()
  const who = person.username || say(texts.erased)
  const confirm = async () => {
    const answer = await actAsAdmin('DELETE /api/ticket/{id}/people/{userId}', { id, userId: person.id })
    await reload()
    if (answer.ok) toast.success(say(own.removed).replace('{who}', () => who))
    return outcomeOf(answer)
  }
  return (
    <ActDialog
      title={say(own.removeTitle).replace('{who}', () => who)}
      confirm={say(own.remove)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{say(own.removeText)}</p>
    </ActDialog>
  )
}
