'use client'

import { Button } from '@payloadcms/ui'
import { useState } from 'react'
import { words } from '../../fields/languages.ts'
import { TextField } from './fields.tsx'
import { common } from './money-words.ts'
import { useAdminLanguage } from './use-admin-language.ts'
import { useFoundPeople, type FoundPerson } from './use-people.ts'
import { useRested } from '@/ui/screen/use-rested.ts'

const texts = {
  search: words('Find the customer', 'Ügyfél keresése', 'Kunden suchen'),
  hint: words(
    'Name, identifier or e-mail address, at least 3 characters.',
    'Név, azonosító vagy e-mail-cím, legalább 3 karakter.',
    'Name, ID oder E-Mail-Adresse, mindestens 3 Zeichen.',
  ),
  namesHint: words(
    'Name or identifier, at least 3 characters.',
    'Név vagy azonosító, legalább 3 karakter.',
    'Name oder ID, mindestens 3 Zeichen.',
  ),
  none: words('No matching customers.', 'Nincs találat.', 'Keine passenden Kunden.'),
  chosen: words('Customer', 'Ügyfél', 'Kunde'),
  other: words('Change', 'Másik választása', 'Anderen wählen'),
  found: words('Matching customers', 'Talált ügyfelek', 'Passende Kunden'),
}

/** The people found by a search, once typing pauses. */
const useSearch = (typed: string, withAddress: boolean) => {
  const rested = useRested(typed)
  const { data, isError, isFetching } = useFoundPeople(rested, withAddress)
  const isShown = rested === typed && !isFetching
  return { found: isShown ? (data ?? []) : [], isFailed: isShown && isError, isEmpty: isShown && data?.length === 0 }
}

type Props = {
  readonly value: FoundPerson | null
  readonly onChange: (person: FoundPerson | null) => void
  /** Support sees no addresses, and the CMS refuses its searches by one. */
  readonly withAddress?: boolean
}

/** Finds one customer by name, identifier or address. */
export const PersonPicker = ({ value, onChange, withAddress = true }: Props) => {
  const { say } = useAdminLanguage()
  const [text, setText] = useState('')
  const { found, isFailed, isEmpty } = useSearch(text.trim(), withAddress)
  if (value !== null) {
    return (
      <p className="bakter-chosen">
        <span>
          {say(texts.chosen)}: <b>{value.username}</b> {value.email}
        </span>
        <Button type="button" size="small" buttonStyle="secondary" onClick={() => onChange(null)}>
          {say(texts.other)}
        </Button>
      </p>
    )
  }
  return (
    <div>
      <TextField
        label={texts.search}
        hint={withAddress ? texts.hint : texts.namesHint}
        type="search"
        value={text}
        onChange={setText}
      />
      <div role="status">{isFailed || isEmpty ? <p>{say(isFailed ? common.failed : texts.none)}</p> : null}</div>
      {found.length === 0 ? null : (
        <ul className="bakter-found" aria-label={say(texts.found)}>
          {found.slice(0, 8).map((person) => (
            <li key={person.id}>
              <button type="button" onClick={() => onChange(person)}>
                <b>{person.username}</b> {person.email}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
