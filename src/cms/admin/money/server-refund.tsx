'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState } from 'react'
import type { ApiOutput } from '#contracts/routes/routes.ts'
import type { StaffServer } from '#contracts/http/staff-documents.ts'
import { RefundServer } from '#contracts/http/server-refunds.ts'
import { words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { actAsAdmin, askAdmin } from './ask-admin.ts'
import { Facts } from './facts.tsx'
import { CheckField, TextField, typedAmount, typedForints } from './fields.tsx'
import { MoneyTable, ReadFailure, type Column } from './money-table.tsx'
import { common } from './money-words.ts'
import { PersonPicker } from './person-picker.tsx'
import { useActForm } from './use-checked-form.ts'
import { useAdminLanguage, type AdminLanguage } from './use-admin-language.ts'
import { useList } from './use-list.ts'
import type { FoundPerson } from './use-people.ts'
import { useRead } from './use-read.ts'

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
  const [server, setServer] = useState<StaffServer | null>(null)
  const list = useList<StaffServer>('servers', userId, async (before) => {
    const answer = await askAdmin('GET /api/admin/servers', { query: { userId, before } })
    return answer.ok ? answer.body : undefined
  })
  return (
    <>
      <MoneyTable
        {...list}
        caption={language.say(texts.servers)}
        columns={columnsOf(language, setServer)}
        idOf={({ id }) => id}
        empty={language.say(texts.none)}
      />
      {server === null ? null : (
        <QuotedRefund key={server.id} id={server.id} reload={list.reload} onClose={() => setServer(null)} />
      )}
    </>
  )
}

/** The dialog opens with the current quote. */
const QuotedRefund = ({ id, ...rest }: Omit<DialogProps, 'quote'> & { readonly id: string }) => {
  const { body, isFailed, again } = useRead('GET /api/admin/servers/{id}/refund', id)
  if (isFailed) return <ReadFailure again={again} />
  return body === undefined ? null : <RefundDialog quote={body} {...rest} />
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

const useRefund = ({ quote, reload }: DialogProps) => {
  const { say, ft } = useAdminLanguage()
  return useActForm({
    schema: RefundServer.pick({ reason: true, endServer: true }).extend({ amountFt: typedAmount(quote.refundableFt) }),
    defaultValues: { amountFt: String(quote.unusedFt), reason: '', endServer: false },
    sentences: {
      amountFt: say(quote.refundableFt === 0 ? texts.nothing : texts.wrong),
      reason: say(common.reasonShort),
    },
    act: async (input) => {
      const answer = await actAsAdmin('POST /api/admin/servers/{id}/refund', { id: quote.serverId, input })
      if (!answer.ok) return answer.code === 'REFUND_REFUSED' ? say(texts.wrong) : answer
      toast.success(say(texts.done).replace('{amount}', ft(answer.body.amountFt)))
      reload()
      return undefined
    },
  })
}

const RefundDialog = (props: DialogProps) => {
  const { quote, onClose } = props
  const { say, ft } = useAdminLanguage()
  const { values, set, textOf, confirm } = useRefund(props)
  const amountFt = typedForints(values.amountFt)
  const endServer = values.endServer ?? false
  return (
    <ActDialog
      title={say(texts.of).replace('{name}', quote.name)}
      confirm={say(texts.confirm).replace('{amount}', amountFt === null ? '–' : ft(amountFt))}
      isDangerous={endServer}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Quoted quote={quote} />
      <TextField isNumber label={common.amountFt} {...textOf('amountFt')} />
      <CheckField label={texts.end} value={endServer} onChange={(ends) => set('endServer', ends)} />
      <TextField type="textarea" label={common.reason} hint={common.reasonHint} {...textOf('reason')} />
    </ActDialog>
  )
}
