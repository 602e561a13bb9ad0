'use client'

import { Button } from '@payloadcms/ui'
import { useEffect, useState } from 'react'
import { words } from '../../fields/languages.ts'
import { TextField } from './fields.tsx'
import { useAdminLanguage } from './use-admin-language.ts'
import { findPeople, type FoundPerson } from './use-people.ts'

const texts = {
  search: words('Find the customer', 'Ügyfél keresése', 'Kunden suchen'),
  hint: words(
    'Name, identifier or e-mail address, at least 3 characters.',
    'Név, azonosító vagy e-mail-cím, legalább 3 karakter.',
    'Name, Kennung oder E-Mail-Adresse, mindestens 3 Zeichen.',
  ),
  none: words('Nobody is found.', 'Nincs találat.', 'Niemand gefunden.'),
  chosen: words('Customer', 'Ügyfél', 'Kunde'),
  other: words('Choose another', 'Másik választása', 'Anderen wählen'),
  found: words('Found customers', 'Talált ügyfelek', 'Gefundene Kunden'),
}

const WAIT_MS = 300

type Props = { readonly value: FoundPerson | null; readonly onChange: (person: FoundPerson | null) => void }

/** Finds one customer by what staff know of them. */
export const PersonPicker = ({ value, onChange }: Props) => {
  const { say } = useAdminLanguage()
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly FoundPerson[]>()
  const asked = text.trim()
  useEffect(() => {
    setFound(undefined)
    if (asked.length < 3) return
    let isLate = false
    const timer = setTimeout(() => {
      void findPeople(asked).then((people) => {
        if (!isLate) setFound(people)
      })
    }, WAIT_MS)
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [asked])
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
      <TextField label={texts.search} hint={texts.hint} type="search" value={text} onChange={setText} />
      <div role="status">{found?.length === 0 ? <p>{say(texts.none)}</p> : null}</div>
      {found === undefined || found.length === 0 ? null : (
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
