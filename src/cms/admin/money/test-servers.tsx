'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState, type FormEvent } from 'react'
import { GrantTestServer } from '#contracts/http/lifetime.ts'
import { words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { askAdmin } from './ask-admin.ts'
import { ChoiceField, TextField } from './fields.tsx'
import { ReadFailure } from './money-table.tsx'
import { common } from './money-words.ts'
import { PersonPicker } from './person-picker.tsx'
import { useAdminLanguage } from './use-admin-language.ts'
import { useCheckedForm } from './use-checked-form.ts'
import type { FoundPerson } from './use-people.ts'
import { namedOptions, useTestServices, type TestService } from './use-test-services.ts'

const texts = {
  title: words('Grant a test server', 'Tesztszerver adása', 'Testserver gewähren'),
  text: words(
    'A free server for one day. Each customer can have one, ever.',
    'Egy napra szóló, ingyenes szerver. Egy ügyfél életében egyszer kaphat.',
    'Ein kostenloser Server für einen Tag. Jeder Kunde bekommt nur einen.',
  ),
  service: words('Service', 'Szolgáltatás', 'Angebot'),
  package: words('Package', 'Csomag', 'Paket'),
  name: words('Server name', 'A szerver neve', 'Name des Servers'),
  check: words('Check', 'Ellenőrzés', 'Prüfen'),
  grant: words('Grant', 'Megadás', 'Gewähren'),
  sure: words('Grant {name} a test server?', 'Kapjon tesztszervert: {name}?', '{name} einen Testserver gewähren?'),
  done: words(
    'Installing. The test ends {when}.',
    'Telepítés alatt. A teszt vége: {when}.',
    'Er wird installiert. Der Test endet {when}.',
  ),
  missing: words(
    'Choose the customer and the package, and name the server.',
    'Válaszd ki az ügyfelet és a csomagot, és nevezd el a szervert.',
    'Wähle Kunde und Paket und gib dem Server einen Namen.',
  ),
}

const NOTHING: GrantTestServer = { userId: '', serviceId: '', packageId: '', name: '' }

/** The customer, the offer and the name. The first service and its first package are preselected. */
const useGrantForm = (services: readonly TestService[]) => {
  const { say } = useAdminLanguage()
  const [person, setPerson] = useState<FoundPerson | null>(null)
  const missing = say(texts.missing)
  const form = useCheckedForm({
    schema: GrantTestServer,
    defaultValues: NOTHING,
    sentences: { userId: missing, serviceId: missing, packageId: missing, name: missing },
  })
  const { values, set } = form
  const service = services.find(({ id }) => id === values.serviceId) ?? services[0]
  const chosen = service?.packages.find(({ id }) => id === values.packageId) ?? service?.packages[0]
  const check = (event: FormEvent) => {
    set('serviceId', service?.id ?? '')
    set('packageId', chosen?.id ?? '')
    void form.check(event)
  }
  const choose = (found: FoundPerson | null) => {
    setPerson(found)
    set('userId', found?.id ?? '')
  }
  return { ...form, check, person, choose, service, chosen }
}

/** A test server for a customer. */
export const TestServers = () => {
  const { say } = useAdminLanguage()
  const { services = [], isFailed, again } = useTestServices()
  const { set, faultOf, textOf, check, checked, close, ...grant } = useGrantForm(services)
  return (
    <section className="bakter-form" aria-label={say(texts.title)}>
      <h2>{say(texts.title)}</h2>
      <p>{say(texts.text)}</p>
      <PersonPicker value={grant.person} onChange={grant.choose} />
      {isFailed ? (
        <ReadFailure again={again} />
      ) : (
        <form onSubmit={check} noValidate>
          <div className="bakter-filters">
            <ChoiceField
              label={texts.service}
              value={grant.service?.id ?? ''}
              options={namedOptions(services)}
              onChange={(serviceId) => set('serviceId', serviceId)}
            />
            <ChoiceField
              label={texts.package}
              value={grant.chosen?.id ?? ''}
              options={namedOptions(grant.service?.packages ?? [])}
              onChange={(packageId) => set('packageId', packageId)}
            />
            <TextField label={texts.name} {...textOf('name')} />
          </div>
          <p role="alert" className="bakter-fault">
            {faultOf('userId') ?? faultOf('serviceId') ?? faultOf('packageId')}
          </p>
          <Button type="submit" size="medium">
            {say(texts.check)}
          </Button>
        </form>
      )}
      {checked !== null && grant.person !== null ? (
        <GrantDialog person={grant.person} wanted={checked} onClose={close} />
      ) : null}
    </section>
  )
}

type GrantProps = {
  readonly person: FoundPerson
  readonly wanted: GrantTestServer
  readonly onClose: () => void
}

const GrantDialog = ({ person, wanted, onClose }: GrantProps) => {
  const { say, moment } = useAdminLanguage()
  const grant = async () => {
    const answer = await askAdmin('POST /api/admin/test-servers', { input: wanted })
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
