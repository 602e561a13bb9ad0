'use client'

import { useState } from 'react'
import type { LedgerAccount, LedgerDay } from '#contracts/http/staff-money.ts'
import { siteTimeZone } from '@/i18n/locales.ts'
import { words } from '../../fields/languages.ts'
import { askAdmin } from './ask-admin.ts'
import { ChoiceField, TextField } from './fields.tsx'
import { LedgerAudit } from './ledger-audit.tsx'
import { LedgerEntries } from './ledger-entries.tsx'
import { MoneyTable, PersonLink, type Column } from './money-table.tsx'
import { accountKinds, common, providers } from './money-words.ts'
import { PersonPicker } from './person-picker.tsx'
import { useAdminLanguage } from './use-admin-language.ts'
import { useList } from './use-list.ts'
import { usePeople, type FoundPerson } from './use-people.ts'

const texts = {
  view: words('View', 'Nézet', 'Ansicht'),
  account: words('Account', 'Számla', 'Konto'),
  accounts: words('Accounts', 'Számlák', 'Konten'),
  balance: words('Balance', 'Egyenleg', 'Saldo'),
  held: words('On hold', 'Zárolva', 'Reserviert'),
  entries: words('Postings', 'Könyvelések', 'Buchungen'),
  owner: words('Owner', 'Tulajdonos', 'Inhaber'),
  day: words('Day', 'Nap', 'Tag'),
  days: words('Totals of 14 days', '14 nap összegei', 'Summen von 14 Tagen'),
  daysUntil: words('Until', 'Eddig', 'Bis'),
  gained: words('Increase', 'Növekedés', 'Zugang'),
  lost: words('Decrease', 'Csökkenés', 'Abgang'),
  empty: words('No matching accounts.', 'Nincs találat.', 'Keine passenden Konten.'),
  emptyDays: words('No postings.', 'Nincs könyvelés.', 'Keine Buchungen.'),
}

const views = {
  entries: words('Postings', 'Könyvelések', 'Buchungen'),
  accounts: words('Accounts', 'Számlák', 'Konten'),
  days: words('Totals by day', 'Napi összegek', 'Tagessummen'),
}

/** The books: entries with running balances, accounts, daily totals, and violated rules. */
export const Ledger = () => {
  const [view, setView] = useState('entries')
  const [account, setAccount] = useState<LedgerAccount | null>(null)
  const show = (each: LedgerAccount) => {
    setAccount(each)
    setView('entries')
  }
  const choose = (each: string) => {
    setAccount(null)
    setView(each)
  }
  return (
    <>
      <LedgerAudit />
      <div className="bakter-filters">
        <ChoiceField label={texts.view} value={view} onChange={choose} options={views} />
      </div>
      {view === 'entries' ? <LedgerEntries key={account?.id ?? ''} account={account} /> : null}
      {view === 'accounts' ? <Accounts show={show} /> : null}
      {view === 'days' ? <Days /> : null}
    </>
  )
}

const Accounts = ({ show }: { show: (account: LedgerAccount) => void }) => {
  const { say, ft, name } = useAdminLanguage()
  const [kind, setKind] = useState('')
  const [person, setPerson] = useState<FoundPerson | null>(null)
  const query = { kind, userId: person?.id }
  const list = useList<LedgerAccount>('ledger accounts', JSON.stringify(query), async (before) => {
    const answer = await askAdmin('GET /api/admin/ledger/accounts', { query: { ...query, before } })
    return answer.ok ? answer.body : undefined
  })
  const names = usePeople(list.items.flatMap(({ ownerId }) => ownerId ?? []))
  const columns: readonly Column<LedgerAccount>[] = [
    {
      head: texts.account,
      cell: (account) => (
        <button type="button" className="bakter-link" onClick={() => show(account)}>
          {name(accountKinds, account.kind)} {account.provider === '' ? '' : name(providers, account.provider)}
        </button>
      ),
    },
    { head: texts.owner, cell: ({ ownerId }) => <PersonLink id={ownerId} names={names} /> },
    { head: texts.balance, isAmount: true, cell: ({ balanceFt }) => ft(balanceFt) },
    { head: texts.held, isAmount: true, cell: ({ heldFt }) => ft(heldFt) },
    { head: texts.entries, isAmount: true, cell: ({ entries }) => entries },
  ]
  return (
    <>
      <PersonPicker value={person} onChange={setPerson} />
      <div className="bakter-filters">
        <ChoiceField withAll label={common.kind} value={kind} onChange={setKind} options={accountKinds} />
      </div>
      <MoneyTable
        {...list}
        caption={say(texts.accounts)}
        columns={columns}
        idOf={({ id }) => id}
        empty={say(texts.empty)}
      />
    </>
  )
}

const DAY_MS = 24 * 60 * 60 * 1000
const SHOWN_DAYS = 13

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)

/** The current date of the books, in the house's time zone. This locale formats dates like ISO. */
const today = (): string => new Intl.DateTimeFormat('sv-SE', { timeZone: siteTimeZone }).format(new Date())

const Days = () => {
  const { say, ft, name, day: dayOf } = useAdminLanguage()
  const [to, setTo] = useState(today)
  const list = useList<LedgerDay>('ledger days', to, async () => {
    if (Number.isNaN(Date.parse(to))) return { items: [], next: null }
    const answer = await askAdmin('GET /api/admin/ledger/days', { query: { from: dayBefore(to, SHOWN_DAYS), to } })
    return answer.ok ? { items: answer.body.items, next: null } : undefined
  })
  const columns: readonly Column<LedgerDay>[] = [
    { head: texts.day, cell: ({ day }) => dayOf(day) },
    { head: texts.account, cell: ({ kind }) => name(accountKinds, kind) },
    { head: texts.gained, isAmount: true, cell: ({ inFt }) => ft(inFt) },
    { head: texts.lost, isAmount: true, cell: ({ outFt }) => ft(outFt) },
    { head: texts.entries, isAmount: true, cell: ({ entries }) => entries },
  ]
  return (
    <>
      <div className="bakter-filters">
        <TextField type="date" label={texts.daysUntil} value={to} onChange={setTo} />
      </div>
      <MoneyTable
        {...list}
        caption={say(texts.days)}
        columns={columns}
        idOf={({ day, kind }) => `${day} ${kind}`}
        empty={say(texts.emptyDays)}
      />
    </>
  )
}
