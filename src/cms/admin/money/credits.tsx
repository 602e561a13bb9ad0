'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState, type FormEvent } from 'react'
import { MAX_MANUAL_FT } from '#domain/payments/manual-credit.ts'
import { isReason } from '#domain/billing/staff-reason.ts'
import { words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { actAsAdmin } from './ask-admin.ts'
import { CheckField, ChoiceField, TextField, typedForints } from './fields.tsx'
import { buckets, common, directions } from './money-words.ts'
import { PersonPicker } from './person-picker.tsx'
import { Proposals } from './proposals.tsx'
import { useAdminLanguage } from './use-admin-language.ts'
import type { FoundPerson } from './use-people.ts'

const texts = {
  form: words('Move a balance by hand', 'Egyenleg kézi módosítása', 'Guthaben von Hand ändern'),
  direction: words('What happens', 'Művelet', 'Was geschieht'),
  bucket: words('Of which kind', 'Egyenlegfajta', 'Welcher Art'),
  withDebt: words(
    'What the balance cannot give becomes a debt',
    'Amit az egyenleg nem fedez, az tartozás lesz',
    'Was das Guthaben nicht deckt, wird Schuld',
  ),
  check: words('Check', 'Ellenőrzés', 'Prüfen'),
  nobody: words('Choose the customer first.', 'Előbb válaszd ki az ügyfelet.', 'Wähle zuerst den Kunden.'),
  wrong: words(
    'Whole forints, at most {amount}.',
    'Egész forint, legfeljebb {amount}.',
    'Ganze Forint, höchstens {amount}.',
  ),
  give: words('Give {amount} to {name}?', '{name} kapjon ennyit: {amount}?', '{amount} an {name} geben?'),
  take: words('Take {amount} from {name}?', 'Levonás tőle: {name}, ennyi: {amount}?', '{amount} von {name} nehmen?'),
  confirm: words('Do it', 'Végrehajtás', 'Ausführen'),
  done: words('The balance was moved.', 'Az egyenleg módosult.', 'Das Guthaben wurde geändert.'),
  proposed: words(
    'It is above what one person moves alone: it waits for a second administrator.',
    'Meghaladja az egy ember által mozgatható összeget: egy másik rendszergazdára vár.',
    'Mehr, als jemand allein bewegt: Es wartet auf einen zweiten Administrator.',
  ),
}

type Wish = {
  readonly direction: 'credit' | 'debit'
  readonly bucket: 'money' | 'bonus'
  readonly amount: string
  readonly withDebt: boolean
  readonly reason: string
}
const NOTHING: Wish = { direction: 'credit', bucket: 'money', amount: '', withDebt: false, reason: '' }

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

const CreditForm = ({ onMoved }: { onMoved: () => void }) => {
  const { say, ft } = useAdminLanguage()
  const [person, setPerson] = useState<FoundPerson | null>(null)
  const [wish, setWish] = useState(NOTHING)
  const [faults, setFaults] = useState<Faults>({})
  const [isAsking, setAsking] = useState(false)
  const set = (part: Partial<Wish>) => setWish((known) => ({ ...known, ...part }))
  const check = (event: FormEvent) => {
    event.preventDefault()
    const found = {
      ...(person === null ? { person: say(texts.nobody) } : {}),
      ...(typedForints(wish.amount) === null
        ? { amount: say(texts.wrong).replace('{amount}', ft(MAX_MANUAL_FT)) }
        : {}),
      ...(isReason(wish.reason) ? {} : { reason: say(common.reasonShort) }),
    }
    setFaults(found)
    setAsking(Object.keys(found).length === 0)
  }
  const moved = () => {
    setWish(NOTHING)
    onMoved()
  }
  return (
    <section className="bakter-form" aria-label={say(texts.form)}>
      <h2>{say(texts.form)}</h2>
      <PersonPicker value={person} onChange={setPerson} />
      <form onSubmit={check} noValidate>
        <WishFields wish={wish} faults={faults} set={set} />
        <Button type="submit" size="medium">
          {say(texts.check)}
        </Button>
      </form>
      {isAsking && person !== null ? (
        <CreditDialog
          person={person}
          wish={{ ...wish, withDebt: wish.withDebt && isOfMoney(wish) }}
          onMoved={moved}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  )
}

type Faults = { readonly amount?: string; readonly reason?: string; readonly person?: string }
type FieldsProps = { readonly wish: Wish; readonly faults: Faults; readonly set: (part: Partial<Wish>) => void }

const isOfMoney = ({ direction, bucket }: Wish): boolean => direction === 'debit' && bucket === 'money'

const WishFields = ({ wish, faults, set }: FieldsProps) => (
  <>
    {faults.person === undefined ? null : (
      <p role="alert" className="bakter-fault">
        {faults.person}
      </p>
    )}
    <div className="bakter-filters">
      <ChoiceField
        label={texts.direction}
        value={wish.direction}
        options={directions}
        onChange={(direction) => set({ direction: direction === 'debit' ? 'debit' : 'credit' })}
      />
      <ChoiceField
        label={texts.bucket}
        value={wish.bucket}
        options={buckets}
        onChange={(bucket) => set({ bucket: bucket === 'bonus' ? 'bonus' : 'money' })}
      />
      <TextField
        isNumber
        label={common.amountFt}
        value={wish.amount}
        fault={faults.amount}
        onChange={(amount) => set({ amount })}
      />
    </div>
    {isOfMoney(wish) ? (
      <CheckField label={texts.withDebt} value={wish.withDebt} onChange={(withDebt) => set({ withDebt })} />
    ) : null}
    <TextField
      type="textarea"
      label={common.reason}
      hint={common.reasonHint}
      fault={faults.reason}
      value={wish.reason}
      onChange={(reason) => set({ reason })}
    />
  </>
)

type DialogProps = {
  readonly person: FoundPerson
  readonly wish: Wish
  readonly onMoved: () => void
  readonly onClose: () => void
}

const CreditDialog = ({ person, wish, onMoved, onClose }: DialogProps) => {
  const { say, ft, name } = useAdminLanguage()
  const amountFt = typedForints(wish.amount) ?? 0
  const title = say(wish.direction === 'credit' ? texts.give : texts.take)
  const move = async () => {
    const { amount: _, ...rest } = wish
    const input = { ...rest, userId: person.id, amountFt }
    const answer = await actAsAdmin('POST /api/admin/credits', { input })
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
