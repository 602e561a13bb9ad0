'use client'

import { Button } from '@payloadcms/ui'
import { useState } from 'react'
import type { StaffPayment } from '#contracts/http/staff-payments.ts'
import { words } from '../../fields/languages.ts'
import { askAdmin } from './ask-admin.ts'
import { ChoiceField } from './fields.tsx'
import { MoneyTable, PersonLink, type Column } from './money-table.tsx'
import { common, problems, providers, standings } from './money-words.ts'
import { PaymentDetail } from './payment-detail.tsx'
import { PersonPicker } from './person-picker.tsx'
import { useAdminLanguage } from './use-admin-language.ts'
import { useList } from './use-list.ts'
import { usePeople, type FoundPerson } from './use-people.ts'

const texts = {
  which: words('Filter payments', 'Fizetések szűrése', 'Zahlungen filtern'),
  empty: words('No matching payments.', 'Nincs találat.', 'Keine passenden Zahlungen.'),
  open: words('Details of the payment of {when}', 'A {when} fizetés részletei', 'Einzelheiten der Zahlung vom {when}'),
  details: words('Details', 'Részletek', 'Einzelheiten'),
}

const which = {
  all: words('All', 'Mind', 'Alle'),
  open: words('Open', 'Nyitott', 'Offen'),
  problem: words('With a problem', 'Problémás', 'Mit Problem'),
  disputed: words('Disputed', 'Vitatott', 'Beanstandet'),
  'taken-back': words('Charged back', 'Visszaterhelt', 'Zurückgebucht'),
}

type Open = (payment: StaffPayment) => void

const columnsOf = (
  language: ReturnType<typeof useAdminLanguage>,
  { names, open }: { names: ReadonlyMap<string, string>; open: Open },
): readonly Column<StaffPayment>[] => [
  { head: common.when, cell: ({ createdAt }) => language.moment(createdAt) },
  { head: common.customer, cell: ({ userId }) => <PersonLink id={userId} names={names} /> },
  { head: common.provider, cell: ({ provider }) => language.name(providers, provider) },
  {
    head: common.state,
    cell: ({ standing, problem }) => (
      <>
        {language.name(standings, standing)}
        {problem === null ? null : <b className="bakter-fault"> {language.name(problems, problem)}</b>}
      </>
    ),
  },
  { head: common.amount, isAmount: true, cell: ({ amountFt }) => language.ft(amountFt) },
  {
    head: common.act,
    cell: (payment) => (
      <Button
        size="small"
        buttonStyle="secondary"
        margin={false}
        aria-label={language.say(texts.open).replace('{when}', language.moment(payment.createdAt))}
        onClick={() => open(payment)}
      >
        {language.say(texts.details)}
      </Button>
    ),
  },
]

/** A payment's current state, from whichever list has it; null if it cannot be read. */
const readAgain = async ({ id, userId }: StaffPayment): Promise<StaffPayment | null> => {
  let before: string | undefined
  for (;;) {
    const answer = await askAdmin('GET /api/admin/payments', { query: { userId, before } })
    if (!answer.ok) return null
    const found = answer.body.items.find((payment) => payment.id === id)
    if (found !== undefined || answer.body.next === null) return found ?? null
    before = answer.body.next
  }
}

/** All payments; a selected one with its actions. */
export const Payments = () => {
  const language = useAdminLanguage()
  const [kind, setKind] = useState('all')
  const [person, setPerson] = useState<FoundPerson | null>(null)
  const [shown, setShown] = useState<StaffPayment | null>(null)
  const query = { which: kind, userId: person?.id }
  const list = useList<StaffPayment>('payments', JSON.stringify(query), async (before) => {
    const answer = await askAdmin('GET /api/admin/payments', { query: { ...query, before } })
    return answer.ok ? answer.body : undefined
  })
  const names = usePeople([...list.items, ...(shown === null ? [] : [shown])].map(({ userId }) => userId))
  if (shown !== null) {
    // An action may remove the payment from the list; its details stay on the screen.
    const reload = () => {
      list.reload()
      void readAgain(shown).then((now) => setShown((known) => (known?.id === shown.id ? now : known)))
    }
    return <PaymentDetail payment={shown} names={names} reload={reload} onClose={() => setShown(null)} />
  }
  return (
    <>
      <PersonPicker value={person} onChange={setPerson} />
      <div className="bakter-filters">
        <ChoiceField label={texts.which} value={kind} onChange={setKind} options={which} />
      </div>
      <MoneyTable
        {...list}
        caption={language.name(which, kind)}
        columns={columnsOf(language, { names, open: setShown })}
        idOf={({ id }) => id}
        empty={language.say(texts.empty)}
      />
    </>
  )
}
