'use client'

import { toast } from '@payloadcms/ui'
import { useState } from 'react'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { TicketTestServer } from '#contracts/http/ticket.ts'
import { TEST_SERVER_MS } from '#domain/billing/lifetime.ts'
import { ActDialog } from '../../money/act-dialog.tsx'
import { actAsAdmin } from '../../money/ask-admin.ts'
import { ChoiceField, TextField } from '../../money/fields.tsx'
import { useAdminLanguage } from '../../money/use-admin-language.ts'
import { useActForm } from '../../money/use-checked-form.ts'
import { namedOptions, type TestService } from '../../money/use-test-services.ts'
import { outcomeOf } from '../act-outcome.ts'
import { texts } from '../ticket-words.ts'
import { testServerWords } from './test-server-words.ts'

type Props = {
  readonly ticket: Ticket
  /** At least one. */
  readonly services: readonly TestService[]
  /** Reads again what the grant changes. */
  readonly reload: () => Promise<unknown>
  readonly onClose: () => void
}

/** Grants the customer of a ticket their test server. A repetition of the same grant is the same request, so that it is done once. */
export const GrantDialog = ({ ticket: { id, opener }, services, reload, onClose }: Props) => {
  const { say, moment } = useAdminLanguage()
  const [untilMs] = useState(() => Date.now() + TEST_SERVER_MS)
  const missing = say(testServerWords.missing)
  const { values, set, textOf, confirm } = useActForm({
    schema: TicketTestServer,
    defaultValues: { serviceId: services[0]?.id ?? '', packageId: services[0]?.packages[0]?.id ?? '', name: '' },
    sentences: { name: missing },
    act: async (input) => {
      const answer = await actAsAdmin('POST /api/ticket/{id}/test-server', { id, input })
      await reload()
      if (answer.ok) toast.success(say(testServerWords.done).replace('{time}', moment(answer.body.expiresAt)))
      return outcomeOf(answer)
    },
  })
  const service = services.find((each) => each.id === values.serviceId)
  const chooseService = (serviceId: string) => {
    set('serviceId', serviceId)
    set('packageId', services.find((each) => each.id === serviceId)?.packages[0]?.id ?? '')
  }
  return (
    <ActDialog
      title={say(testServerWords.title)}
      confirm={say(testServerWords.act)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {say(testServerWords.free).replace('{name}', () => opener.username || say(texts.erased))}{' '}
        {say(testServerWords.until).replace('{time}', moment(new Date(untilMs).toISOString()))}
      </p>
      <ChoiceField
        label={testServerWords.service}
        value={values.serviceId}
        options={namedOptions(services)}
        onChange={chooseService}
      />
      <ChoiceField
        label={testServerWords.package}
        value={values.packageId}
        options={namedOptions(service?.packages ?? [])}
        onChange={(packageId) => set('packageId', packageId)}
      />
      <TextField label={testServerWords.name} {...textOf('name')} />
    </ActDialog>
  )
}
