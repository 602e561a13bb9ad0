'use client'

import { useState } from 'react'
import type { StaffTransaction } from '#contracts/http/staff-money.ts'
import { words } from '../../fields/languages.ts'
import { askAdmin } from './ask-admin.ts'
import { ChoiceField, TextField } from './fields.tsx'
import { MoneyTable, PersonLink, type Column } from './money-table.tsx'
import { common, providers, transactionStates, transactionTypes } from './money-words.ts'
import { PersonPicker } from './person-picker.tsx'
import { useAdminLanguage } from './use-admin-language.ts'
import { useList } from './use-list.ts'
import { usePeople, type FoundPerson } from './use-people.ts'

const texts = {
  empty: words('No matching transactions.', 'Nincs találat.', 'Keine passenden Transaktionen.'),
  all: words('Any customer', 'Bármelyik ügyfél', 'Jeder Kunde'),
}

const NOTHING = { type: '', status: '', provider: '', from: '', to: '' }

const columnsOf = (
  language: ReturnType<typeof useAdminLanguage>,
  names: ReadonlyMap<string, string>,
): readonly Column<StaffTransaction>[] => [
  { head: common.when, cell: ({ createdAt }) => language.moment(createdAt) },
  { head: common.customer, cell: ({ userId }) => <PersonLink id={userId} names={names} /> },
  { head: common.kind, cell: ({ type }) => language.name(transactionTypes, type) },
  { head: common.provider, cell: ({ paymentType }) => language.name(providers, paymentType) },
  { head: common.state, cell: ({ status }) => language.name(transactionStates, status) },
  { head: common.reason, cell: ({ reason }) => reason },
  { head: common.amount, isAmount: true, cell: ({ amount }) => language.signedFt(amount) },
]

/** All transactions, with filters. */
export const Transactions = () => {
  const language = useAdminLanguage()
  const [filter, setFilter] = useState(NOTHING)
  const [person, setPerson] = useState<FoundPerson | null>(null)
  const query = { ...filter, userId: person?.id }
  const list = useList<StaffTransaction>('transactions', JSON.stringify(query), async (before) => {
    const answer = await askAdmin('GET /api/admin/transactions', { query: { ...query, before } })
    return answer.ok ? answer.body : undefined
  })
  const names = usePeople(list.items.map(({ userId }) => userId))
  const set = (name: keyof typeof NOTHING) => (value: string) => setFilter((known) => ({ ...known, [name]: value }))
  return (
    <>
      <PersonPicker value={person} onChange={setPerson} />
      <div className="bakter-filters">
        <ChoiceField
          withAll
          label={common.kind}
          value={filter.type}
          onChange={set('type')}
          options={transactionTypes}
        />
        <ChoiceField
          withAll
          label={common.state}
          value={filter.status}
          onChange={set('status')}
          options={transactionStates}
        />
        <ChoiceField
          withAll
          label={common.provider}
          value={filter.provider}
          onChange={set('provider')}
          options={providers}
        />
        <TextField type="date" label={common.from} value={filter.from} onChange={set('from')} />
        <TextField type="date" label={common.to} value={filter.to} onChange={set('to')} />
      </div>
      <MoneyTable
        {...list}
        caption={language.say(person === null ? texts.all : common.customer)}
        columns={columnsOf(language, names)}
        idOf={({ id }) => id}
        empty={language.say(texts.empty)}
      />
    </>
  )
}
