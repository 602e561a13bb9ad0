'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState } from 'react'
import { RefundPayment, type StaffPayment } from '#contracts/http/staff-payments.ts'
import { words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { actAsAdmin } from './ask-admin.ts'
import { DisputeActs } from './dispute-acts.tsx'
import { Facts, type Fact } from './facts.tsx'
import { TextField, typedAmount, typedForints } from './fields.tsx'
import { CustomerLine, PersonLink } from './money-table.tsx'
import { DocumentsOfSale } from './invoices.tsx'
import { common, disputes, problems, providers, refundStates, standings } from './money-words.ts'
import { TakenBack } from './taken-back.tsx'
import { useActForm } from './use-checked-form.ts'
import { useAdminLanguage } from './use-admin-language.ts'

const texts = {
  back: words('Back to the list', 'Vissza a listához', 'Zurück zur Liste'),
  title: words('Payment', 'Fizetés', 'Zahlung'),
  credited: words('Credited', 'Jóváírva', 'Gutgeschrieben'),
  refunded: words('Refunded', 'Visszatérítve', 'Erstattet'),
  refundable: words('Refundable', 'Visszatéríthető', 'Erstattbar'),
  settled: words('Arrived', 'Megérkezett', 'Eingegangen'),
  atProvider: words("Provider's ID", 'Azonosító a szolgáltatónál', 'ID beim Anbieter'),
  problem: words('Problem', 'Probléma', 'Problem'),
  dispute: words('Dispute', 'Vita', 'Beanstandung'),
  failure: words('Failure', 'Hiba', 'Fehler'),
  refunds: words('Refunds', 'Visszatérítések', 'Erstattungen'),
  noRefunds: words('No refunds yet.', 'Még nem volt visszatérítés.', 'Noch keine Erstattungen.'),
  toSource: words('Refund to the payment method', 'Visszatérítés a fizetési módra', 'Auf die Zahlungsart erstatten'),
  toBalance: words(
    'To return a purchase to the balance, use Balance correction or refund its server.',
    'Vásárlás árát az egyenlegre az Egyenleg módosítása oldalon vagy a szerver visszatérítésével adhatod vissza.',
    'Einen Kauf erstattest du aufs Guthaben unter „Guthaben berichtigen“ oder mit seinem Server.',
  ),
  wrong: words(
    'Whole forints, at most the refundable amount.',
    'Egész forint, legfeljebb a visszatéríthető összeg.',
    'Ganze Forint, höchstens der erstattbare Betrag.',
  ),
  confirm: words('Refund {amount}', 'Visszatérítés: {amount}', '{amount} erstatten'),
  sent: words('The refund has started.', 'A visszatérítés elindult.', 'Die Erstattung ist gestartet.'),
  proposed: words(
    'The amount is above the limit for one administrator: it waits for an approver.',
    'Meghaladja az egy adminisztrátor által visszatéríthető összeget: jóváhagyóra vár.',
    'Der Betrag liegt über der Grenze für einen Administrator: Er wartet auf eine Freigabe.',
  ),
}

type Props = {
  readonly payment: StaffPayment
  readonly names: ReadonlyMap<string, string>
  readonly reload: () => void
  readonly onClose: () => void
}

/** One payment, its refunds, and a form to refund more. */
export const PaymentDetail = ({ payment, names, reload, onClose }: Props) => {
  const { say, ft, moment, name } = useAdminLanguage()
  const [isRefunding, setRefunding] = useState(false)
  const { problem, failureCode, dispute = 'none' } = payment
  const lines: Fact[] = [
    [say(common.customer), <PersonLink key="person" id={payment.userId} names={names} />],
    [say(common.provider), name(providers, payment.provider)],
    [say(common.state), name(standings, payment.standing)],
    [say(common.amount), ft(payment.amountFt)],
    [say(texts.credited), ft(payment.creditedFt)],
    [say(texts.refunded), ft(payment.refundedFt)],
    [say(texts.refundable), ft(payment.refundableFt)],
    [say(common.when), moment(payment.createdAt)],
    [say(texts.settled), payment.settledAt === null ? '–' : moment(payment.settledAt)],
    [say(texts.atProvider), payment.providerPaymentId ?? '–'],
    ...(dispute === 'none' ? [] : [[say(texts.dispute), name(disputes, dispute)] as const]),
    ...(problem === null ? [] : [[say(texts.problem), name(problems, problem)] as const]),
    ...(failureCode === null ? [] : [[say(texts.failure), failureCode] as const]),
  ]
  return (
    <section aria-label={say(texts.title)}>
      <Button size="small" buttonStyle="secondary" onClick={onClose}>
        {say(texts.back)}
      </Button>
      <Facts lines={lines} />
      <Refunds payment={payment} />
      <TakenBack payment={payment} />
      <DocumentsOfSale userId={payment.userId} saleId={payment.id} />
      <DisputeActs payment={payment} names={names} reload={reload} />
      {payment.refundableFt > 0 ? (
        <Button size="medium" onClick={() => setRefunding(true)}>
          {say(texts.toSource)}
        </Button>
      ) : null}
      <p className="bakter-quiet">{say(texts.toBalance)}</p>
      {isRefunding ? (
        <RefundDialog payment={payment} names={names} reload={reload} onClose={() => setRefunding(false)} />
      ) : null}
    </section>
  )
}

const Refunds = ({ payment: { refunds } }: Pick<Props, 'payment'>) => {
  const { say, ft, moment, name } = useAdminLanguage()
  return (
    <>
      <h2>{say(texts.refunds)}</h2>
      {refunds.length === 0 ? <p>{say(texts.noRefunds)}</p> : null}
      <ul className="bakter-list">
        {refunds.map(({ id, amountFt, state, reason, createdAt }) => (
          <li key={id}>
            <b>{ft(amountFt)}</b> · {name(refundStates, state)} · {moment(createdAt)}
            <br />
            {reason}
          </li>
        ))}
      </ul>
    </>
  )
}

const useRefund = ({ payment, reload }: Props) => {
  const { say } = useAdminLanguage()
  return useActForm({
    schema: RefundPayment.pick({ reason: true }).extend({ amountFt: typedAmount(payment.refundableFt) }),
    defaultValues: { amountFt: String(payment.refundableFt), reason: '' },
    sentences: { amountFt: say(texts.wrong), reason: say(common.reasonShort) },
    act: async ({ amountFt, reason }) => {
      const input = { amountFt, reason }
      const answer = await actAsAdmin('POST /api/admin/payments/{id}/refund', { id: payment.id, input })
      if (!answer.ok) return answer
      toast.success(say(answer.body.state === 'proposed' ? texts.proposed : texts.sent))
      reload()
      return undefined
    },
  })
}

const RefundDialog = (props: Props) => {
  const { payment, names, onClose } = props
  const { say, ft } = useAdminLanguage()
  const { values, textOf, confirm } = useRefund(props)
  const amountFt = typedForints(values.amountFt)
  return (
    <ActDialog
      title={say(texts.toSource)}
      confirm={say(texts.confirm).replace('{amount}', amountFt === null ? '–' : ft(amountFt))}
      isDangerous
      onConfirm={confirm}
      onClose={onClose}
    >
      <CustomerLine id={payment.userId} names={names} />
      <TextField isNumber label={common.amountFt} {...textOf('amountFt')} />
      <TextField type="textarea" label={common.reason} hint={common.reasonHint} {...textOf('reason')} />
    </ActDialog>
  )
}
