'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState, type FormEvent } from 'react'
import type { Service } from '#contracts/http/service.ts'
import { words, type Words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { askAdmin } from './ask-admin.ts'
import { ChoiceField, TextField } from './fields.tsx'
import { ReadFailure } from './money-table.tsx'
import { common } from './money-words.ts'
import { PersonPicker } from './person-picker.tsx'
import { useAdminLanguage } from './use-admin-language.ts'
import { useRead } from './use-read.ts'
import type { FoundPerson } from './use-people.ts'

const texts = {
  title: words('Grant a test server', 'Tesztszerver adása', 'Testserver gewähren'),
  text: words(
    'A server for a day, free of charge. A customer has one in their life.',
    'Egy napra szóló, ingyenes szerver. Egy ügyfél életében egyszer kaphat.',
    'Ein Server für einen Tag, kostenlos. Ein Kunde bekommt ihn einmal im Leben.',
  ),
  service: words('Service', 'Szolgáltatás', 'Dienst'),
  package: words('Package', 'Csomag', 'Paket'),
  name: words('Name of the server', 'A szerver neve', 'Name des Servers'),
  check: words('Check', 'Ellenőrzés', 'Prüfen'),
  grant: words('Grant', 'Megadás', 'Gewähren'),
  sure: words('Give {name} a test server?', 'Kapjon tesztszervert: {name}?', '{name} einen Testserver geben?'),
  done: words(
    'It is being installed. Its day ends {when}.',
    'Telepítés alatt. A nap vége: {when}.',
    'Er wird installiert. Sein Tag endet {when}.',
  ),
  missing: words(
    'Choose the customer and the package, and name the server.',
    'Válaszd ki az ügyfelet és a csomagot, és nevezd el a szervert.',
    'Wähle Kunde und Paket und gib dem Server einen Namen.',
  ),
}

const optionsOf = (rows: readonly { id: string; name: string }[]): Readonly<Record<string, Words>> =>
  Object.fromEntries(rows.map(({ id, name }) => [id, words(name, name, name)]))

/** Services with packages, which can be granted. `isFailed` if they could not be read. */
const useServices = () => {
  const { body, isFailed, again } = useRead('GET /api/services')
  const services = (body ?? []).filter(({ packages }) => packages.length > 0) as readonly Service[]
  return { services, isFailed, again }
}

/** A test server for a customer. */
export const TestServers = () => {
  const { say } = useAdminLanguage()
  const { services, isFailed, again } = useServices()
  const [person, setPerson] = useState<FoundPerson | null>(null)
  const [serviceId, setServiceId] = useState('')
  const [packageId, setPackageId] = useState('')
  const [serverName, setServerName] = useState('')
  const [fault, setFault] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const service = services.find(({ id }) => id === serviceId) ?? services[0]
  const chosen = service?.packages.find(({ id }) => id === packageId) ?? service?.packages[0]
  const check = (event: FormEvent) => {
    event.preventDefault()
    const isWhole = person !== null && chosen !== undefined && serverName.trim() !== ''
    setFault(isWhole ? undefined : say(texts.missing))
    setAsking(isWhole)
  }
  return (
    <section className="bakter-form" aria-label={say(texts.title)}>
      <h2>{say(texts.title)}</h2>
      <p>{say(texts.text)}</p>
      <PersonPicker value={person} onChange={setPerson} />
      {isFailed ? (
        <ReadFailure again={again} />
      ) : (
        <form onSubmit={check} noValidate>
          <div className="bakter-filters">
            <ChoiceField
              label={texts.service}
              value={service?.id ?? ''}
              options={optionsOf(services)}
              onChange={setServiceId}
            />
            <ChoiceField
              label={texts.package}
              value={chosen?.id ?? ''}
              options={optionsOf(service?.packages ?? [])}
              onChange={setPackageId}
            />
            <TextField label={texts.name} value={serverName} onChange={setServerName} />
          </div>
          <p role="alert" className="bakter-fault">
            {fault}
          </p>
          <Button type="submit" size="medium">
            {say(texts.check)}
          </Button>
        </form>
      )}
      {isAsking && person !== null && service !== undefined && chosen !== undefined ? (
        <GrantDialog
          person={person}
          wanted={{ serviceId: service.id, packageId: chosen.id, name: serverName.trim() }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  )
}

type GrantProps = {
  readonly person: FoundPerson
  readonly wanted: { readonly serviceId: string; readonly packageId: string; readonly name: string }
  readonly onClose: () => void
}

const GrantDialog = ({ person, wanted, onClose }: GrantProps) => {
  const { say, moment } = useAdminLanguage()
  const grant = async () => {
    const answer = await askAdmin('POST /api/admin/test-servers', { input: { userId: person.id, ...wanted } })
    if (!answer.ok) return answer
    toast.success(say(texts.done).replace('{when}', moment(answer.body.expiresAt)))
    return undefined
  }
  return (
    <ActDialog
      title={say(texts.sure).replace('{name}', person.username)}
      confirm={say(texts.grant)}
      onConfirm={grant}
      onClose={onClose}
    >
      <p>
        {say(common.customer)}: {person.username} · {wanted.name}
      </p>
    </ActDialog>
  )
}
