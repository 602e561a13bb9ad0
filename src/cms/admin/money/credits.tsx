'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState } from 'react'
import type * as z from 'zod'
import { ManualCredit } from '#contracts/http/staff-money.ts'
import { MAX_MANUAL_FT } from '#domain/payments/manual-credit.ts'
import { words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { actAsAdmin } from './ask-admin.ts'
import { CheckField, ChoiceField, TextField, typedAmount } from './fields.tsx'
import { buckets, common, directions } from './money-words.ts'
import { PersonPicker } from './person-picker.tsx'
import { Proposals } from './proposals.tsx'
import { useAdminLanguage } from './use-admin-language.ts'
import { useCheckedForm } from './use-checked-form.ts'
import type { FoundPerson } from './use-people.ts'

const texts = {
  form: words('Correct a balance', 'Egyenleg kézi módosítása', 'Guthaben manuell berichtigen'),
  direction: words('Action', 'Művelet', 'Vorgang'),
  bucket: words('Part of the balance', 'Egyenlegfajta', 'Art des Guthabens'),
  withDebt: words(
    'Turn any shortfall into a debt',
    'Amit az egyenleg nem fedez, az tartozás lesz',
    'Was das Guthaben nicht deckt, wird zur Schuld',
  ),
  check: words('Check', 'Ellenőrzés', 'Prüfen'),
  nobody: words('Choose the customer first.', 'Előbb válaszd ki az ügyfelet.', 'Wähle zuerst den Kunden.'),
  wrong: words(
    'Whole forints, at most {amount}.',
    'Egész forint, legfeljebb {amount}.',
    'Ganze Forint, höchstens {amount}.',
  ),
  give: words('Credit {amount} to {name}?', '{name} kapjon ennyit: {amount}?', '{name} {amount} gutschreiben?'),
  take: words('Debit {amount} from {name}?', 'Levonás tőle: {name}, ennyi: {amount}?', '{name} {amount} abbuchen?'),
  confirm: words('Confirm', 'Végrehajtás', 'Ausführen'),
  done: words('The balance is corrected.', 'Az egyenleg módosult.', 'Das Guthaben wurde geändert.'),
  proposed: words(
    'The amount is above the limit for one administrator: it waits for an approver.',
    'Meghaladja az egy adminisztrátor által mozgatható összeget: jóváhagyóra vár.',
    'Der Betrag liegt über der Grenze für einen Administrator: Er wartet auf eine Freigabe.',
  ),
}

/** The body of a manual credit, with the amount as it is typed. */
const TypedCredit = ManualCredit.extend({ amountFt: typedAmount() })
type Typed = z.input<typeof TypedCredit>
type Wish = z.output<typeof TypedCredit>

const NOTHING: Typed = { userId: '', direction: 'credit', bucket: 'money', amountFt: '', withDebt: false, reason: '' }

/** Manual credits, and proposals that wait for an approver. */
export const Credits = () => {
  const [turn, setTurn] = useState(0)
  return (
    <>
      <CreditForm onMoved={() => setTurn((known) => known + 1)} />
      <Proposals turn={turn} />
    </>
  )
}

const useCreditForm = () => {
  const { say, ft } = useAdminLanguage()
  return useCheckedForm({
    schema: TypedCredit,
    defaultValues: NOTHING,
    sentences: {
      userId: say(texts.nobody),
      amountFt: say(texts.wrong).replace('{amount}', ft(MAX_MANUAL_FT)),
      reason: say(common.reasonShort),
    },
  })
}

const CreditForm = ({ onMoved }: { onMoved: () => void }) => {
  const { say } = useAdminLanguage()
  const [person, setPerson] = useState<FoundPerson | null>(null)
  const form = useCreditForm()
  const { checked } = form
  const choose = (found: FoundPerson | null) => {
    setPerson(found)
    form.set('userId', found?.id ?? '')
  }
  const moved = () => {
    const userId = form.values.userId
    form.reset()
    form.set('userId', userId)
    onMoved()
  }
  return (
    <section className="bakter-form" aria-label={say(texts.form)}>
      <h2>{say(texts.form)}</h2>
      <PersonPicker value={person} onChange={choose} />
      <form onSubmit={(event) => void form.check(event)} noValidate>
        <WishFields form={form} />
        <Button type="submit" size="medium">
          {say(texts.check)}
        </Button>
      </form>
      {checked !== null && person !== null ? (
        <CreditDialog
          person={person}
          wish={{ ...checked, withDebt: checked.withDebt && isOfMoney(checked) }}
          onMoved={moved}
          onClose={form.close}
        />
      ) : null}
    </section>
  )
}

const isOfMoney = ({ direction, bucket }: Pick<Wish, 'direction' | 'bucket'>): boolean =>
  direction === 'debit' && bucket === 'money'

const WishFields = ({ form }: { form: ReturnType<typeof useCreditForm> }) => {
  const { values, set, faultOf, textOf } = form
  const nobody = faultOf('userId')
  return (
    <>
      {nobody === undefined ? null : (
        <p role="alert" className="bakter-fault">
          {nobody}
        </p>
      )}
      <div className="bakter-filters">
        <ChoiceField
          label={texts.direction}
          value={values.direction}
          options={directions}
          onChange={(direction) => set('direction', direction === 'debit' ? 'debit' : 'credit')}
        />
        <ChoiceField
          label={texts.bucket}
          value={values.bucket}
          options={buckets}
          onChange={(bucket) => set('bucket', bucket === 'bonus' ? 'bonus' : 'money')}
        />
        <TextField isNumber label={common.amountFt} {...textOf('amountFt')} />
      </div>
      {isOfMoney(values) ? (
        <CheckField
          label={texts.withDebt}
          value={values.withDebt ?? false}
          onChange={(withDebt) => set('withDebt', withDebt)}
        />
      ) : null}
      <TextField type="textarea" label={common.reason} hint={common.reasonHint} {...textOf('reason')} />
    </>
  )
}

type DialogProps = {
  readonly person: FoundPerson
  readonly wish: Wish
  readonly onMoved: () => void
  readonly onClose: () => void
}

const CreditDialog = ({ person, wish, onMoved, onClose }: DialogProps) => {
  const { say, ft, name } = useAdminLanguage()
  const { amountFt } = wish
  const title = say(wish.direction === 'credit' ? texts.give : texts.take)
  const move = async () => {
    const answer = await actAsAdmin('POST /api/admin/credits', { input: wish })
    if (!answer.ok) return answer
    toast.success(say(answer.body.state === 'proposed' ? texts.proposed : texts.done))
    onMoved()
    return undefined
  }
  return (
    <ActDialog
      title={title.replace('{amount}', ft(amountFt)).replace('{name}', person.username)}
      confirm={say(texts.confirm)}
      isDangerous={wish.direction === 'debit'}
      onConfirm={move}
      onClose={onClose}
    >
      <p>{name(buckets, wish.bucket)}</p>
      {wish.withDebt ? <p>{say(texts.withDebt)}</p> : null}
      <p>{wish.reason}</p>
    </ActDialog>
  )
}
