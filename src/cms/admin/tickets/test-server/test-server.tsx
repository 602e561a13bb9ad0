'use client'

import { Button } from '@payloadcms/ui'
import { useRef, useState } from 'react'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { Facts } from '../../money/facts.tsx'
import { ReadFailure } from '../../money/money-table.tsx'
import { useAdminLanguage } from '../../money/use-admin-language.ts'
import { useTestServices } from '../../money/use-test-services.ts'
import { GrantDialog } from './grant-dialog.tsx'
import { testServerWords } from './test-server-words.ts'

type Props = {
  readonly ticket: Ticket
  readonly hadTestServer: boolean
  readonly reload: () => Promise<unknown>
}

/** Whether the customer of a ticket had their test server, and the way to grant it: from an open ticket, where this installation has something to grant. */
export const TestServer = ({ ticket, hadTestServer, reload }: Props) => {
  const { say } = useAdminLanguage()
  const { services = [], isFailed, again } = useTestServices()
  const [isAsked, ask] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const mayGrant = !hadTestServer && ticket.status !== 'closed'
  const canGrant = mayGrant && services.length > 0
  const close = () => {
    ask(false)
    // The button is gone after a grant, and the focus with it.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) box.current?.focus()
    })
  }
  return (
    <div ref={box} tabIndex={-1}>
      <Facts lines={[[say(testServerWords.fact), say(hadTestServer ? testServerWords.had : testServerWords.notYet)]]} />
      {mayGrant && isFailed ? <ReadFailure again={again} /> : null}
      {canGrant ? (
        <Button buttonStyle="secondary" size="medium" margin={false} onClick={() => ask(true)}>
          {say(testServerWords.open)}
        </Button>
      ) : null}
      {/* A dialog that is open stays for its answer, whatever the page reads meanwhile. */}
      {isAsked ? <GrantDialog ticket={ticket} services={services} reload={reload} onClose={close} /> : null}
    </div>
  )
}
