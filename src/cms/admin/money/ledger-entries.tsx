'use client'

import { useState } from 'react'
import type { LedgerAccount, LedgerEntry } from '#contracts/http/staff-money.ts'
import { words } from '../../fields/languages.ts'
import { askAdmin } from './ask-admin.ts'
import { ChoiceField, TextField } from './fields.tsx'
import { MoneyTable, PersonLink, type Column } from './money-table.tsx'
import { accountKinds, common, ledgerDocuments, providers } from './money-words.ts'
import { PersonPicker } from './person-picker.tsx'
import { useAdminLanguage } from './use-admin-language.ts'
import { useList } from './use-list.ts'
import { usePeople, type FoundPerson } from './use-people.ts'
import { useRested } from '@/ui/screen/use-rested.ts'

const texts = {
  caption: words('Ledger postings', 'Főkönyvi könyvelések', 'Buchungen des Hauptbuchs'),
  account: words('Account', 'Számla', 'Konto'),
  owner: words('Owner', 'Tulajdonos', 'Inhaber'),
  number: words('No.', 'Ssz.', 'Nr.'),
  after: words('Balance after', 'Egyenleg utána', 'Saldo danach'),
  reference: words('Document', 'Bizonylat', 'Beleg'),
  referenceHint: words('The document ID.', 'A bizonylat azonosítója.', 'Die ID des Belegs.'),
  day: words('Day', 'Nap', 'Tag'),
  empty: words('No postings.', 'Nincs könyvelés.', 'Keine Buchungen.'),
}

const columnsOf = (
  { say, ft, signedFt, name, moment }: ReturnType<typeof useAdminLanguage>,
  { names, filterBy }: { names: ReadonlyMap<string, string>; filterBy: (reference: string) => void },
): readonly Column<LedgerEntry>[] => [
  { head: common.when, cell: ({ createdAt }) => moment(createdAt) },
  {
    head: texts.account,
    cell: ({ kind, provider, seq }) => (
      <>
        {name(accountKinds, kind)} {provider === '' ? '' : name(providers, provider)}{' '}
        <span className="bakter-quiet">
          {say(texts.number)} {seq}
        </span>
      </>
    ),
  },
  { head: texts.owner, cell: ({ ownerId }) => <PersonLink id={ownerId} names={names} /> },
  {
    head: common.reason,
    cell: ({ reason, refId, refType }) => (
      <>
        <button type="button" className="bakter-link" onClick={() => filterBy(refId)}>
          {name(ledgerDocuments, refType)}
        </button>{' '}
        <span className="bakter-quiet">{reason}</span>
      </>
    ),
  },
  { head: common.amount, isAmount: true, cell: ({ amountFt }) => signedFt(amountFt) },
  { head: texts.after, isAmount: true, cell: ({ balanceFt }) => ft(balanceFt) },
]

const NOTHING = { kind: '', reference: '', day: '' }

/** Entries of one account by number, or of all by time. A click on a document shows all of its entries. */
export const LedgerEntries = ({ account }: { account: LedgerAccount | null }) => {
  const language = useAdminLanguage()
  const [filter, setFilter] = useState(NOTHING)
  const [person, setPerson] = useState<FoundPerson | null>(null)
  const reference = useRested(filter.reference.trim())
  // A document has entries in several accounts: all of them are shown, without an account's name above them.
  const only = reference === '' ? account : null
  const query = {
    kind: filter.kind,
    day: filter.day,
    reference,
    userId: person?.id,
    ...(only === null ? {} : { accountId: only.id }),
  }
  const list = useList<LedgerEntry>('ledger entries', JSON.stringify(query), async (before) => {
    const answer = await askAdmin('GET /api/admin/ledger', { query: { ...query, before } })
    return answer.ok ? answer.body : undefined
  })
  const names = usePeople(list.items.flatMap(({ ownerId }) => ownerId ?? []))
  const set = (name: keyof typeof NOTHING) => (value: string) => setFilter((known) => ({ ...known, [name]: value }))
  return (
    <>
      {account === null ? <PersonPicker value={person} onChange={setPerson} /> : null}
      <div className="bakter-filters">
        {account === null ? (
          <ChoiceField withAll label={common.kind} value={filter.kind} onChange={set('kind')} options={accountKinds} />
        ) : null}
        <TextField
          label={texts.reference}
          hint={texts.referenceHint}
          value={filter.reference}
          onChange={set('reference')}
        />
        <TextField type="date" label={texts.day} value={filter.day} onChange={set('day')} />
      </div>
      <MoneyTable
        {...list}
        caption={only === null ? language.say(texts.caption) : language.name(accountKinds, only.kind)}
        columns={columnsOf(language, { names, filterBy: set('reference') })}
        idOf={({ accountId, seq }) => `${accountId} ${seq}`}
        empty={language.say(texts.empty)}
      />
    </>
  )
}
