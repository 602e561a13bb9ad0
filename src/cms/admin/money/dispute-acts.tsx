'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState } from 'react'
import { CloseDispute, type StaffPayment } from '#contracts/http/staff-payments.ts'
import { words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { actAsAdmin } from './ask-admin.ts'
import { TextField, optionalAmount } from './fields.tsx'
import { CustomerLine } from './money-table.tsx'
import { common } from './money-words.ts'
import { useActForm } from './use-checked-form.ts'
import { useAdminLanguage } from './use-admin-language.ts'

const texts = {
  told: words(
    'This provider reports the outcome of a dispute by e-mail only. Record it here.',
    'Ez a szolgáltató csak levélben közli, hogyan zárult egy vita. Itt rögzítsd, amit közölt.',
    'Dieser Anbieter teilt nur per E-Mail mit, wie eine Beanstandung ausging. Halte es hier fest.',
  ),
  lost: words('Charged back by the bank', 'A bank visszaterhelte', 'Von der Bank zurückgebucht'),
  won: words('Dispute won', 'A vitát megnyertük', 'Die Beanstandung ist gewonnen'),
  lostText: words(
    'We take the amount from the balance now. Any shortfall becomes a debt.',
    'Az összeg most levonódik az egyenlegből. Ami hiányzik, tartozás lesz.',
    'Der Betrag wird jetzt vom Guthaben abgebucht. Was fehlt, wird zur Schuld.',
  ),
  isOpen: words(
    'The bank already holds the amount. We take nothing more and close the dispute.',
    'A bank már visszatartja. Több nem vonódik le, a vita lezárul.',
    'Die Bank hält den Betrag schon zurück. Mehr wird nicht abgebucht, und die Beanstandung ist beendet.',
  ),
  wonText: words(
    'The amount taken from the balance is returned.',
    'Ami az egyenlegből levonódott, visszakerül.',
    'Der abgebuchte Betrag kommt zurück aufs Guthaben.',
  ),
  howMuch: words(
    'Leave empty for the rest of the payment.',
    'Üresen hagyva: a fizetésből megmaradt teljes összeg.',
    'Leer lassen für alles, was von der Zahlung übrig ist.',
  ),
  wrong: words(
    'Whole forints, at most the credited amount of this payment.',
    'Egész forint, legfeljebb amennyi a fizetésből jóváíródott.',
    'Ganze Forint, höchstens der gutgeschriebene Betrag dieser Zahlung.',
  ),
  done: words('Closed. Amount: {amount}.', 'Lezárva. Összeg: {amount}.', 'Beendet. Betrag: {amount}.'),
}

type Props = {
  readonly payment: StaffPayment
  readonly names: ReadonlyMap<string, string>
  readonly reload: () => void
}
type Outcome = 'won' | 'lost'

/** Staff record a dispute's outcome if the provider does not report it. */
export const DisputeActs = ({ payment, names, reload }: Props) => {
  const { say } = useAdminLanguage()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { dispute = 'none', mayCloseDispute } = payment
  if (mayCloseDispute !== true) return null
  const offered: readonly Outcome[] = dispute === 'none' ? ['lost'] : dispute === 'lost' ? ['won'] : ['lost', 'won']
  return (
    <>
      <p className="bakter-quiet">{say(texts.told)}</p>
      <div className="bakter-ways">
        {offered.map((each) => (
          <Button key={each} size="medium" buttonStyle="secondary" onClick={() => setOutcome(each)}>
            {say(texts[each])}
          </Button>
        ))}
      </div>
      {outcome === null ? null : (
        <DisputeDialog
          payment={payment}
          names={names}
          outcome={outcome}
          reload={reload}
          onClose={() => setOutcome(null)}
        />
      )}
    </>
  )
}

type DialogProps = Props & { readonly outcome: Outcome; readonly onClose: () => void }

const useDispute = ({ payment, outcome, reload }: DialogProps) => {
  const { say, ft } = useAdminLanguage()
  return useActForm({
    schema: CloseDispute.pick({ reason: true }).extend({ amountFt: optionalAmount(payment.creditedFt) }),
    defaultValues: { amountFt: '', reason: '' },
    sentences: { amountFt: say(texts.wrong), reason: say(common.reasonShort) },
    act: async ({ amountFt, reason }) => {
      const input = { outcome, reason, ...(amountFt === undefined ? {} : { amountFt }) }
      const answer = await actAsAdmin('POST /api/admin/payments/{id}/dispute', { id: payment.id, input })
      if (!answer.ok) return answer
      toast.success(say(texts.done).replace('{amount}', ft(answer.body.amountFt)))
      reload()
      return undefined
    },
  })
}

const DisputeDialog = (props: DialogProps) => {
  const { payment, names, outcome, onClose } = props
  const { say } = useAdminLanguage()
  const { textOf, confirm } = useDispute(props)
  const isLost = outcome === 'lost'
  const isUnknown = isLost && payment.dispute !== 'open'
  return (
    <ActDialog
      title={say(texts[outcome])}
      confirm={say(texts[outcome])}
      isDangerous={isLost}
      onConfirm={confirm}
      onClose={onClose}
    >
      <CustomerLine id={payment.userId} names={names} />
      <p>{say(isLost ? (isUnknown ? texts.lostText : texts.isOpen) : texts.wonText)}</p>
      {isUnknown ? <TextField isNumber label={common.amountFt} hint={texts.howMuch} {...textOf('amountFt')} /> : null}
      <TextField type="textarea" label={common.reason} hint={common.reasonOwn} {...textOf('reason')} />
    </ActDialog>
  )
}
