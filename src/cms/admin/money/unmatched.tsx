'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState } from 'react'
import * as z from 'zod'
import { AssignUnmatched, type UnmatchedPayment } from '#contracts/http/staff-payments.ts'
import { formatStated } from '#domain/billing/money-text.ts'
import { MAX_MANUAL_FT } from '#domain/payments/manual-credit.ts'
import { words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { actAsAdmin, askAdmin } from './ask-admin.ts'
import { Facts, type Fact } from './facts.tsx'
import { CheckField, TextField, optionalAmount, typedAmount } from './fields.tsx'
import { MoneyTable, PersonLink, type Column } from './money-table.tsx'
import { common, problems, providers, unmatchedStates } from './money-words.ts'
import { PersonPicker } from './person-picker.tsx'
import { useActForm } from './use-checked-form.ts'
import { useAdminLanguage } from './use-admin-language.ts'
import { useList } from './use-list.ts'
import { usePeople, type FoundPerson } from './use-people.ts'

const texts = {
  all: words('Show resolved ones', 'Az elintézettek mutatása', 'Erledigte anzeigen'),
  caption: words('Unmatched payments', 'Beazonosítatlan befizetések', 'Nicht zugeordnete Zahlungen'),
  empty: words('Nothing is waiting.', 'Semmi sem vár döntésre.', 'Nichts wartet auf Freigabe.'),
  problem: words('Reason', 'Miért', 'Warum'),
  seems: words('Probably belongs to', 'Valószínűleg az övé', 'Gehört vermutlich'),
  assign: words('Assign', 'Hozzárendelés', 'Zuordnen'),
  dismiss: words('Dismissed', 'Elvetés', 'Verwerfen'),
  assignTitle: words(
    'Assign this payment to a customer',
    'A befizetés hozzárendelése ügyfélhez',
    'Diese Zahlung einem Kunden zuordnen',
  ),
  dismissTitle: words(
    'Dismiss this payment without crediting it',
    'Elvetés jóváírás nélkül',
    'Ohne Gutschrift verwerfen',
  ),
  dismissText: words(
    'It was refunded or resolved elsewhere. Nobody is credited.',
    'Visszatérítették, vagy máshol elintézték. Senkinek sem írjuk jóvá.',
    'Sie wurde erstattet oder anderswo erledigt. Niemand bekommt eine Gutschrift.',
  ),
  nobody: words('Choose the customer first.', 'Előbb válaszd ki az ügyfelet.', 'Wähle zuerst den Kunden.'),
  wrong: words(
    'Whole forints, at most {amount}.',
    'Egész forint, legfeljebb {amount}.',
    'Ganze Forint, höchstens {amount}.',
  ),
  wentBack: words('Refunded: {amount}', 'Visszatérítve: {amount}', 'Erstattet: {amount}'),
  takenAgain: words(
    '{amount} of it was already refunded. We debit that part from the customer immediately.',
    'Ebből már visszatérítve: {amount}. Ezt a részt azonnal levonjuk az ügyféltől.',
    'Davon schon erstattet: {amount}. Diesen Teil buchen wir dem Kunden sofort ab.',
  ),
  disputed: words('Disputed', 'Vitatott', 'Beanstandet'),
  atProvider: words("Provider's ID", 'Azonosító a szolgáltatónál', 'ID beim Anbieter'),
  reference: words('Reference', 'Közlemény', 'Referenz'),
  credited: words(
    "{amount} was credited to the customer's balance.",
    'Jóváírtuk az ügyfél egyenlegén: {amount}.',
    '{amount} wurden dem Kunden gutgeschrieben.',
  ),
  away: words('Dismissed.', 'Elvetve.', 'Verworfen.'),
}

type Stated = UnmatchedPayment['amount']

/** The part that was reversed before the payment was assigned. */
const wentBack = ({ wentBackMinor = '0', amount }: UnmatchedPayment): Stated | null =>
  wentBackMinor === '0' ? null : { ...amount, minor: wentBackMinor }

type Wish = { readonly unmatched: UnmatchedPayment; readonly act: 'assign' | 'dismiss' }

const columnsOf = (
  language: ReturnType<typeof useAdminLanguage>,
  { names, open }: { names: ReadonlyMap<string, string>; open: (wish: Wish) => void },
): readonly Column<UnmatchedPayment>[] => [
  { head: common.when, cell: ({ createdAt }) => language.moment(createdAt) },
  { head: common.provider, cell: ({ provider }) => language.name(providers, provider) },
  {
    head: texts.problem,
    cell: ({ problem, isDisputed }) => (
      <>
        {language.name(problems, problem)}
        {isDisputed === true ? <b className="bakter-fault"> {language.say(texts.disputed)}</b> : null}
      </>
    ),
  },
  { head: texts.seems, cell: ({ userId }) => (userId === null ? '–' : <PersonLink id={userId} names={names} />) },
  { head: common.amount, isAmount: true, cell: (unmatched) => <Amount unmatched={unmatched} /> },
  {
    head: common.act,
    cell: (unmatched) =>
      unmatched.state === 'open' ? (
        <span className="bakter-ways">
          {unmatched.kind === 'settlement' ? (
            <Button size="small" margin={false} onClick={() => open({ unmatched, act: 'assign' })}>
              {language.say(texts.assign)}
            </Button>
          ) : null}
          <Button
            size="small"
            margin={false}
            buttonStyle="secondary"
            onClick={() => open({ unmatched, act: 'dismiss' })}
          >
            {language.say(texts.dismiss)}
          </Button>
        </span>
      ) : (
        <>
          {language.name(unmatchedStates, unmatched.state)}: {unmatched.resolution}
        </>
      ),
  },
]

const Amount = ({ unmatched }: { readonly unmatched: UnmatchedPayment }) => {
  const { say, locale } = useAdminLanguage()
  const back = wentBack(unmatched)
  return (
    <>
      {formatStated(unmatched.amount, locale)}
      {back === null ? null : (
        <div className="bakter-fault">{say(texts.wentBack).replace('{amount}', formatStated(back, locale))}</div>
      )}
    </>
  )
}

/** Unmatched payments, and their assignment to customers. */
export const Unmatched = () => {
  const language = useAdminLanguage()
  const [all, setAll] = useState(false)
  const [wish, setWish] = useState<Wish | null>(null)
  const list = useList<UnmatchedPayment>('unmatched payments', String(all), async (before) => {
    const answer = await askAdmin('GET /api/admin/unmatched', { query: { all, before } })
    return answer.ok ? answer.body : undefined
  })
  const names = usePeople(list.items.flatMap(({ userId }) => userId ?? []))
  return (
    <>
      <CheckField label={texts.all} value={all} onChange={setAll} />
      <MoneyTable
        {...list}
        caption={language.say(texts.caption)}
        columns={columnsOf(language, { names, open: setWish })}
        idOf={({ id }) => id}
        empty={language.say(texts.empty)}
      />
      {wish === null ? null : (
        <DecideDialog wish={wish} names={names} reload={list.reload} onClose={() => setWish(null)} />
      )}
    </>
  )
}

const firstGuess = ({ userId }: UnmatchedPayment, names: ReadonlyMap<string, string>): FoundPerson | null => {
  const username = userId === null ? undefined : names.get(userId)
  return userId === null || !username ? null : { id: userId, username }
}

type DialogProps = {
  readonly wish: Wish
  readonly names: ReadonlyMap<string, string>
  readonly reload: () => void
  readonly onClose: () => void
}

const isAmountAsked = ({ unmatched, act }: Wish): boolean => act === 'assign' && unmatched.forwardedFt === null

const useDecision = ({ wish, names, reload }: DialogProps) => {
  const { say, ft } = useAdminLanguage()
  const { unmatched, act } = wish
  const maximumFt = Math.min(unmatched.maximumFt ?? MAX_MANUAL_FT, MAX_MANUAL_FT)
  const [person, setPerson] = useState(() => firstGuess(unmatched, names))
  const { userId, reason } = AssignUnmatched.shape
  const form = useActForm({
    schema: z.object({
      userId: act === 'assign' ? userId.unwrap() : userId,
      amountFt: isAmountAsked(wish) ? typedAmount(maximumFt) : optionalAmount(maximumFt),
      reason,
    }),
    defaultValues: { userId: person?.id ?? null, amountFt: '', reason: '' },
    sentences: {
      userId: say(texts.nobody),
      amountFt: say(texts.wrong).replace('{amount}', ft(maximumFt)),
      reason: say(common.reasonShort),
    },
    act: async ({ amountFt, ...body }) => {
      const input = { ...body, ...(amountFt === undefined ? {} : { amountFt }) }
      const answer = await actAsAdmin('POST /api/admin/unmatched/{id}', { id: unmatched.id, input })
      if (!answer.ok) return answer
      const { creditedFt } = answer.body
      toast.success(creditedFt === null ? say(texts.away) : say(texts.credited).replace('{amount}', ft(creditedFt)))
      reload()
      return undefined
    },
  })
  const choose = (found: FoundPerson | null) => {
    setPerson(found)
    form.set('userId', found?.id ?? null)
  }
  return { ...form, person, choose }
}

const DecideDialog = (props: DialogProps) => {
  const { wish, onClose } = props
  const { say } = useAdminLanguage()
  const { textOf, faultOf, confirm, person, choose } = useDecision(props)
  const isAssigning = wish.act === 'assign'
  const nobody = faultOf('userId')
  return (
    <ActDialog
      title={say(isAssigning ? texts.assignTitle : texts.dismissTitle)}
      confirm={say(isAssigning ? texts.assign : texts.dismiss)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <UnmatchedFacts unmatched={wish.unmatched} isAssigning={isAssigning} />
      {isAssigning ? <PersonPicker value={person} onChange={choose} /> : <p>{say(texts.dismissText)}</p>}
      {nobody === undefined ? null : (
        <p role="alert" className="bakter-fault">
          {nobody}
        </p>
      )}
      {isAmountAsked(wish) ? <TextField isNumber label={common.amountFt} {...textOf('amountFt')} /> : null}
      <TextField type="textarea" label={common.reason} hint={common.reasonOwn} {...textOf('reason')} />
    </ActDialog>
  )
}

/** The payment to decide about. */
const UnmatchedFacts = ({
  unmatched,
  isAssigning,
}: {
  readonly unmatched: UnmatchedPayment
  readonly isAssigning: boolean
}) => {
  const { say, ft, name, locale } = useAdminLanguage()
  const back = wentBack(unmatched)
  const lines: Fact[] = [
    [
      say(common.amount),
      unmatched.forwardedFt === null ? formatStated(unmatched.amount, locale) : ft(unmatched.forwardedFt),
    ],
    [say(common.provider), name(providers, unmatched.provider)],
    [say(texts.atProvider), unmatched.providerPaymentId],
    ...(unmatched.reference === null ? [] : [[say(texts.reference), unmatched.reference] as const]),
  ]
  return (
    <>
      <Facts lines={lines} />
      {isAssigning && back !== null ? (
        <p className="bakter-fault">{say(texts.takenAgain).replace('{amount}', formatStated(back, locale))}</p>
      ) : null}
    </>
  )
}
