'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState } from 'react'
import type { ApiOutput } from '#contracts/routes/routes.ts'
import type { StaffServer } from '#contracts/http/staff-documents.ts'
import { isReason } from '#domain/billing/staff-reason.ts'
import { words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { actAsAdmin, askAdmin } from './ask-admin.ts'
import { Facts } from './facts.tsx'
import { CheckField, TextField, typedForints } from './fields.tsx'
import { MoneyTable, type Column } from './money-table.tsx'
import { common } from './money-words.ts'
import { PersonPicker } from './person-picker.tsx'
import { useAdminLanguage, type AdminLanguage } from './use-admin-language.ts'
import { useList } from './use-list.ts'
import type { FoundPerson } from './use-people.ts'

const texts = {
  title: words('Refund a server', 'Szerver árának visszatérítése', 'Einen Server erstatten'),
  text: words(
    "The amount paid for a server goes back to its owner's balance.",
    'A szerverért fizetett összeg a tulajdonos egyenlegére kerül vissza.',
    'Der für einen Server bezahlte Betrag geht auf das Guthaben seines Besitzers zurück.',
  ),
  servers: words("Customer's servers", 'Az ügyfél szerverei', 'Server des Kunden'),
  none: words(
    'This customer has never had a server.',
    'Ennek az ügyfélnek nem volt szervere.',
    'Dieser Kunde hatte keinen Server.',
  ),
  server: words('Server', 'Szerver', 'Server'),
  deleted: words('deleted', 'törölve', 'gelöscht'),
  act: words('Refund', 'Visszatérítés', 'Erstatten'),
  of: words('Refund {name}', '{name} visszatérítése', '{name} erstatten'),
  paid: words('Paid', 'Kifizetve', 'Bezahlt'),
  returned: words('Refunded so far', 'Eddig visszatérítve', 'Bisher erstattet'),
  unused: words('Unused part', 'Fel nem használt rész', 'Ungenutzter Teil'),
  ofWhich: words(
    'of which money {money}, bonus {bonus}',
    'ebből pénz {money}, bónusz {bonus}',
    'davon Geld {money}, Bonus {bonus}',
  ),
  most: words('Maximum', 'Legfeljebb', 'Maximum'),
  expiry: words('Paid until', 'Fizetve eddig', 'Bezahlt bis'),
  end: words(
    'End the server now: it stops, and is deleted after 72 hours',
    'A szerver most véget ér: leáll, 72 óráig megmarad, aztán törlődik',
    'Server jetzt beenden: Er stoppt, wird 72 Stunden aufbewahrt, dann gelöscht',
  ),
  nothing: words('Nothing is left to refund.', 'Nincs már visszatéríthető összeg.', 'Es ist nichts mehr zu erstatten.'),
  wrong: words(
    'Whole forints, at most the refundable amount.',
    'Egész forint, legfeljebb a visszatéríthető összeg.',
    'Ganze Forint, höchstens der erstattbare Betrag.',
  ),
  confirm: words('Refund {amount}', 'Visszatérítés: {amount}', '{amount} erstatten'),
  done: words(
    '{amount} refunded to the balance.',
    'Az egyenlegre került: {amount}.',
    '{amount} aufs Guthaben erstattet.',
  ),
}

type Quote = ApiOutput<'GET /api/admin/servers/{id}/refund'>

/** Refunds of a customer's servers to the balance. */
export const ServerRefund = () => {
  const { say } = useAdminLanguage()
  const [person, setPerson] = useState<FoundPerson | null>(null)
  return (
    <section className="bakter-form" aria-label={say(texts.title)}>
      <h2>{say(texts.title)}</h2>
      <p>{say(texts.text)}</p>
      <PersonPicker value={person} onChange={setPerson} />
      {person === null ? null : <Servers userId={person.id} />}
    </section>
  )
}

const columnsOf = (
  { say, moment }: AdminLanguage,
  open: (server: StaffServer) => void,
): readonly Column<StaffServer>[] => [
  {
    head: texts.server,
    cell: ({ id, name, identifier, isDeleted }) => (
      <>
        {isDeleted ? name : <a href={`/panel/${id}`}>{name}</a>}{' '}
        <span className="bakter-quiet">
          {identifier}
          {isDeleted ? ` · ${say(texts.deleted)}` : ''}
        </span>
      </>
    ),
  },
  { head: texts.expiry, cell: ({ expiry }) => moment(expiry) },
  {
    head: common.act,
    cell: (server) => (
      <Button
        size="small"
        margin={false}
        buttonStyle="secondary"
        aria-label={say(texts.of).replace('{name}', server.name)}
        onClick={() => open(server)}
      >
        {say(texts.act)}
      </Button>
    ),
  },
]

const Servers = ({ userId }: { readonly userId: string }) => {
  const language = useAdminLanguage()
  const [quote, setQuote] = useState<Quote | null>(null)
  const list = useList<StaffServer>('servers', userId, async (before) => {
    const answer = await askAdmin('GET /api/admin/servers', { query: { userId, before } })
    return answer.ok ? answer.body : undefined
  })
  const open = async (server: StaffServer) => {
    const answer = await askAdmin('GET /api/admin/servers/{id}/refund', { id: server.id })
    if (!answer.ok) return toast.error(language.say(common.failed))
    setQuote(answer.body)
  }
  return (
    <>
      <MoneyTable
        {...list}
        caption={language.say(texts.servers)}
        columns={columnsOf(language, (server) => void open(server))}
        idOf={({ id }) => id}
        empty={language.say(texts.none)}
      />
      {quote === null ? null : <RefundDialog quote={quote} reload={list.reload} onClose={() => setQuote(null)} />}
    </>
  )
}

const Quoted = ({ quote }: { readonly quote: Quote }) => {
  const { say, ft, moment } = useAdminLanguage()
  const split = say(texts.ofWhich)
    .replace('{money}', ft(quote.unusedMoneyFt))
    .replace('{bonus}', ft(quote.unusedBonusFt))
  const lines = [
    [say(texts.paid), ft(quote.paidFt)],
    [say(texts.returned), ft(quote.returnedFt)],
    [say(texts.unused), quote.unusedBonusFt === 0 ? ft(quote.unusedFt) : `${ft(quote.unusedFt)} (${split})`],
    [say(texts.most), ft(quote.refundableFt)],
    [say(texts.expiry), moment(quote.expiry)],
  ] as const
  return <Facts lines={lines} />
}

type DialogProps = { readonly quote: Quote; readonly reload: () => void; readonly onClose: () => void }

const RefundDialog = ({ quote, reload, onClose }: DialogProps) => {
  const { say, ft } = useAdminLanguage()
  const [amount, setAmount] = useState(String(quote.unusedFt))
  const [reason, setReason] = useState('')
  const [endServer, setEnd] = useState(false)
  const amountFt = typedForints(amount)
  const refund = async () => {
    if (quote.refundableFt === 0) return say(texts.nothing)
    if (amountFt === null || amountFt > quote.refundableFt) return say(texts.wrong)
    if (!isReason(reason)) return say(common.reasonShort)
    const input = { amountFt, reason, endServer }
    const answer = await actAsAdmin('POST /api/admin/servers/{id}/refund', { id: quote.serverId, input })
    if (!answer.ok) return answer.code === 'REFUND_REFUSED' ? say(texts.wrong) : answer
    toast.success(say(texts.done).replace('{amount}', ft(answer.body.amountFt)))
    reload()
    return undefined
  }
  return (
    <ActDialog
      title={say(texts.of).replace('{name}', quote.name)}
      confirm={say(texts.confirm).replace('{amount}', amountFt === null ? '–' : ft(amountFt))}
      isDangerous={endServer}
      onConfirm={refund}
      onClose={onClose}
    >
      <Quoted quote={quote} />
      <TextField isNumber label={common.amountFt} value={amount} onChange={setAmount} />
      <CheckField label={texts.end} value={endServer} onChange={setEnd} />
      <TextField type="textarea" label={common.reason} hint={common.reasonHint} value={reason} onChange={setReason} />
    </ActDialog>
  )
}
