'use client'

import { useState } from 'react'
import { saveFile } from '@/lib/browser-client/save-file.ts'
import type { StaffDocument, StaffInvoice } from '#contracts/http/staff-documents.ts'
import { words } from '../../fields/languages.ts'
import { askAdmin, downloadAsAdmin } from './ask-admin.ts'
import { TextField } from './fields.tsx'
import { MoneyTable, PersonLink, type Column } from './money-table.tsx'
import { common, documentForms, documentStates } from './money-words.ts'
import { PersonPicker } from './person-picker.tsx'
import { useAdminLanguage, type AdminLanguage } from './use-admin-language.ts'
import { useList } from './use-list.ts'
import { usePeople, type FoundPerson } from './use-people.ts'
import { useRested } from '@/ui/screen/use-rested.ts'

const texts = {
  caption: words('Invoices and receipts', 'Számlák és nyugták', 'Rechnungen und Quittungen'),
  empty: words('No matching documents.', 'Nincs találat.', 'Keine passenden Belege.'),
  number: words('Number', 'Sorszám', 'Nummer'),
  numberHint: words(
    'The full number; that of a cancellation or correction works too.',
    'A teljes sorszám, sztornóé vagy helyesbítésé is lehet.',
    'Die ganze Nummer, auch einer Stornierung oder Korrektur.',
  ),
  what: words('Description', 'Megnevezés', 'Beschreibung'),
  net: words('Net', 'Nettó', 'Netto'),
  vat: words('VAT', 'Áfa', 'MwSt.'),
  total: words('Total', 'Összesen', 'Gesamt'),
  storno: words('Cancellation of {number}', 'Sztornó ehhez: {number}', 'Storno von {number}'),
  correction: words('Correction of {number}', 'Helyesbítés ehhez: {number}', 'Korrektur von {number}'),
  download: words('{number}, download the PDF', '{number}, PDF letöltése', '{number}, PDF herunterladen'),
}

type Row = { readonly document: StaffDocument; readonly ofNumber: string | null }

/** Each invoice, followed by its stornos and corrections. */
const rowsOf = (invoices: readonly StaffInvoice[]): readonly Row[] =>
  invoices.flatMap((invoice) => [
    { document: invoice, ofNumber: null },
    ...invoice.takenBackBy.map((document) => ({ document, ofNumber: invoice.number })),
  ])

const DocumentName = ({ document, ofNumber }: Row) => {
  const { say, name } = useAdminLanguage()
  const { id, number, form, kind } = document
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const how = kind === 'storno' ? texts.storno : texts.correction
  const download = async () => {
    setBusy(true)
    setFault('')
    const answer = await downloadAsAdmin(`/api/admin/invoices/${id}/pdf`)
    setBusy(false)
    if (answer instanceof Blob) saveFile(answer, `${number}.pdf`)
    else setFault(answer.message === '' ? say(common.failed) : answer.message)
  }
  return (
    <div className={ofNumber === null ? undefined : 'bakter-below'}>
      <button
        type="button"
        className="bakter-link"
        aria-label={say(texts.download).replace('{number}', number)}
        aria-busy={isBusy}
        disabled={isBusy}
        onClick={() => void download()}
      >
        {number}
      </button>
      <br />
      <span className="bakter-quiet">
        {ofNumber === null ? name(documentForms, form) : say(how).replace('{number}', ofNumber)}
      </span>
      <div role="alert" className="bakter-fault">
        {fault}
      </div>
    </div>
  )
}

const columnsOf = (
  { ft, moment, name }: AdminLanguage,
  names: ReadonlyMap<string, string> | null,
): readonly Column<Row>[] => [
  { head: texts.number, cell: (row) => <DocumentName {...row} /> },
  { head: common.when, cell: ({ document }) => moment(document.createdAt) },
  ...(names === null
    ? []
    : [
        {
          head: common.customer,
          cell: ({ document }: Row) => <PersonLink id={document.userId} names={names} />,
        },
      ]),
  {
    head: texts.what,
    cell: ({ document: { what, reason } }) => (
      <>
        {what}
        {reason === null ? null : <div className="bakter-quiet">{reason}</div>}
      </>
    ),
  },
  {
    head: common.state,
    cell: ({ document, ofNumber }) => (ofNumber === null ? name(documentStates, document.status) : '–'),
  },
  { head: texts.net, isAmount: true, cell: ({ document }) => ft(document.netFt) },
  { head: texts.vat, isAmount: true, cell: ({ document }) => ft(document.vatFt) },
  { head: texts.total, isAmount: true, cell: ({ document }) => ft(document.totalFt) },
]

type Query = { readonly userId: string | undefined; readonly number?: string; readonly saleId?: string }

const useInvoices = (query: Query) =>
  useList<StaffInvoice>('invoices', JSON.stringify(query), async (before) => {
    const answer = await askAdmin('GET /api/admin/invoices', { query: { ...query, before } })
    return answer.ok ? answer.body : undefined
  })

/** All invoices and receipts, with their stornos and corrections. */
export const Invoices = () => {
  const language = useAdminLanguage()
  const [person, setPerson] = useState<FoundPerson | null>(null)
  const [number, setNumber] = useState('')
  const { items, ...list } = useInvoices({ userId: person?.id, number: useRested(number.trim()) })
  const names = usePeople(items.map(({ userId }) => userId))
  return (
    <>
      <PersonPicker value={person} onChange={setPerson} />
      <div className="bakter-filters">
        <TextField type="search" label={texts.number} hint={texts.numberHint} value={number} onChange={setNumber} />
      </div>
      <MoneyTable
        {...list}
        items={rowsOf(items)}
        caption={language.say(texts.caption)}
        columns={columnsOf(language, names)}
        idOf={({ document }) => document.id}
        empty={language.say(texts.empty)}
      />
    </>
  )
}

/** The documents of one sale of a customer. */
export const DocumentsOfSale = ({ userId, saleId }: { readonly userId: string; readonly saleId: string }) => {
  const language = useAdminLanguage()
  const { items, ...list } = useInvoices({ userId, saleId })
  if (list.state === 'ready' && items.length === 0) return null
  return (
    <MoneyTable
      {...list}
      items={rowsOf(items)}
      caption={language.say(texts.caption)}
      columns={columnsOf(language, null)}
      idOf={({ document }) => document.id}
      empty=""
    />
  )
}
