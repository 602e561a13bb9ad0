'use client'

import { Button, toast, useAuth } from '@payloadcms/ui'
import { useState } from 'react'
import { ProposalDecision, type MoneyProposal } from '#contracts/http/staff-money.ts'
import { words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { actAsAdmin, askAdmin } from './ask-admin.ts'
import { CheckField, TextField } from './fields.tsx'
import { CustomerLine, MoneyTable, PersonLink, type Column } from './money-table.tsx'
import { buckets, common, proposalStates } from './money-words.ts'
import { useActForm } from './use-checked-form.ts'
import { useAdminLanguage } from './use-admin-language.ts'
import { useList } from './use-list.ts'
import { usePeople } from './use-people.ts'

const texts = {
  title: words('Waiting for an approver', 'Jóváhagyóra vár', 'Wartet auf Freigabe'),
  limit: words(
    'One administrator can move up to {amount} per customer within 24 hours without approval. Change the limit in the settings.',
    'Egy adminisztrátor egy ügyfélnél 24 óra alatt jóváhagyás nélkül ennyit mozgathat: {amount}. A határ a beállításokban módosítható.',
    'Ein Administrator kann bei einem Kunden binnen 24 Stunden bis zu {amount} ohne Freigabe bewegen. Die Grenze änderst du in den Einstellungen.',
  ),
  all: words('Show decided ones', 'Az eldöntöttek mutatása', 'Entschiedene anzeigen'),
  caption: words('Proposals', 'Javaslatok', 'Vorschläge'),
  empty: words('Nothing is waiting for approval.', 'Semmi sem vár jóváhagyásra.', 'Nichts wartet auf Freigabe.'),
  what: words('What', 'Mit', 'Was'),
  by: words('Proposed by', 'Javasolta', 'Vorgeschlagen von'),
  until: words('Until', 'Eddig', 'Bis'),
  confirm: words('Approve', 'Jóváhagyás', 'Freigeben'),
  refuse: words('Reject', 'Elutasítás', 'Ablehnen'),
  takeBack: words('Withdraw', 'Visszavonás', 'Zurückziehen'),
  own: words(
    'Yours: another administrator approves it.',
    'A tiéd: egy másik adminisztrátor hagyja jóvá.',
    'Deiner: Ein anderer Administrator gibt ihn frei.',
  ),
  note: words('Note', 'Megjegyzés', 'Anmerkung'),
  noteLong: words('At most 500 characters.', 'Legfeljebb 500 karakter.', 'Höchstens 500 Zeichen.'),
  carried: words('Approved and done.', 'Végrehajtva.', 'Freigegeben und ausgeführt.'),
  refused: words(
    'Rejected. No money was moved.',
    'Elutasítva. Nem mozgott pénz.',
    'Abgelehnt. Es wurde kein Geld bewegt.',
  ),
  takenBack: words(
    'Withdrawn. No money was moved.',
    'Visszavonva. Nem mozgott pénz.',
    'Zurückgezogen. Es wurde kein Geld bewegt.',
  ),
  credit: words('Credit', 'Jóváírás', 'Gutschrift'),
  debit: words('Debit', 'Terhelés', 'Belastung'),
  refund: words('Refund to the payment method', 'Visszatérítés a fizetési módra', 'Erstattung auf die Zahlungsart'),
  withDebt: words('the rest as a debt', 'a többi tartozás', 'der Rest als Schuld'),
}

/** Proposers take a proposal back by refusing it themselves. */
type Decision = 'confirm' | 'refuse' | 'takeBack'
type Wish = { readonly proposal: MoneyProposal; readonly decision: Decision }
type Language = ReturnType<typeof useAdminLanguage>

const whatOf = ({ act, direction, bucket, withDebt }: MoneyProposal, { say, name }: Language): string => {
  if (act === 'refund') return say(texts.refund)
  const parts = [say(texts[direction]), name(buckets, bucket), ...(withDebt ? [say(texts.withDebt)] : [])]
  return parts.join(', ')
}

type Decide = {
  readonly names: ReadonlyMap<string, string>
  readonly own: string
  readonly open: (wish: Wish) => void
}

const columnsOf = (language: Language, decide: Decide): readonly Column<MoneyProposal>[] => [
  { head: common.when, cell: ({ createdAt }) => language.moment(createdAt) },
  { head: common.customer, cell: ({ userId }) => <PersonLink id={userId} names={decide.names} /> },
  { head: texts.what, cell: (proposal) => whatOf(proposal, language) },
  { head: common.amount, isAmount: true, cell: ({ amountFt }) => language.ft(amountFt) },
  { head: common.reason, cell: ({ reason }) => reason },
  { head: texts.by, cell: ({ proposedBy }) => <PersonLink id={proposedBy} names={decide.names} /> },
  { head: texts.until, cell: ({ expiresAt }) => language.moment(expiresAt) },
  { head: common.act, cell: (proposal) => <Acts proposal={proposal} {...decide} /> },
]

const Acts = ({ proposal, names, own, open }: Decide & { proposal: MoneyProposal }) => {
  const { say, name } = useAdminLanguage()
  if (proposal.state !== 'open') {
    return (
      <>
        {name(proposalStates, proposal.state)}
        {proposal.note === '' ? '' : `: ${proposal.note}`}
        {proposal.decidedBy === null ? null : (
          <div>
            <PersonLink id={proposal.decidedBy} names={names} />
          </div>
        )}
      </>
    )
  }
  const isOwn = proposal.proposedBy === own
  return (
    <span className="bakter-ways">
      {isOwn ? (
        <span className="bakter-quiet">{say(texts.own)}</span>
      ) : (
        <Button size="small" margin={false} onClick={() => open({ proposal, decision: 'confirm' })}>
          {say(texts.confirm)}
        </Button>
      )}
      <Button
        size="small"
        margin={false}
        buttonStyle="secondary"
        onClick={() => open({ proposal, decision: isOwn ? 'takeBack' : 'refuse' })}
      >
        {say(isOwn ? texts.takeBack : texts.refuse)}
      </Button>
    </span>
  )
}

/** Proposals above the limit of one administrator. The proposer can only withdraw them. */
export const Proposals = ({ turn }: { turn: number }) => {
  const language = useAdminLanguage()
  const { say, ft } = language
  const { user } = useAuth()
  const [all, setAll] = useState(false)
  const [wish, setWish] = useState<Wish | null>(null)
  const [limitFt, setLimitFt] = useState<number>()
  const list = useList<MoneyProposal>('proposals', `${turn} ${all}`, async (before) => {
    const answer = await askAdmin('GET /api/admin/proposals', { query: { all, before } })
    if (!answer.ok) return undefined
    setLimitFt(answer.body.limitFt)
    return answer.body
  })
  const names = usePeople(
    list.items.flatMap(({ userId, proposedBy, decidedBy }) => [userId, proposedBy, decidedBy ?? proposedBy]),
  )
  return (
    <section aria-label={say(texts.title)}>
      <h2>{say(texts.title)}</h2>
      {limitFt === undefined ? null : (
        <p className="bakter-quiet">{say(texts.limit).replace('{amount}', ft(limitFt))}</p>
      )}
      <CheckField label={texts.all} value={all} onChange={setAll} />
      <MoneyTable
        {...list}
        caption={say(texts.caption)}
        columns={columnsOf(language, { names, own: String(user?.id), open: setWish })}
        idOf={({ id }) => id}
        empty={say(texts.empty)}
      />
      {wish === null ? null : (
        <DecisionDialog wish={wish} names={names} reload={list.reload} onClose={() => setWish(null)} />
      )}
    </section>
  )
}

const outcomes = { confirm: texts.carried, refuse: texts.refused, takeBack: texts.takenBack }

type DialogProps = {
  readonly wish: Wish
  readonly names: ReadonlyMap<string, string>
  readonly reload: () => void
  readonly onClose: () => void
}

const DecisionDialog = ({ wish, names, reload, onClose }: DialogProps) => {
  const language = useAdminLanguage()
  const { say, ft } = language
  const { proposal, decision } = wish
  const isConfirming = decision === 'confirm'
  const { textOf, confirm } = useActForm({
    schema: ProposalDecision.pick({ note: true }),
    defaultValues: { note: '' },
    sentences: { note: say(texts.noteLong) },
    act: async ({ note }) => {
      const input = { decision: isConfirming ? 'confirm' : 'refuse', note } as const
      const answer = await actAsAdmin('POST /api/admin/proposals/{id}', { id: proposal.id, input })
      if (!answer.ok) return answer
      toast.success(say(outcomes[decision]))
      reload()
      return undefined
    },
  })
  return (
    <ActDialog
      title={`${say(texts[decision])}: ${ft(proposal.amountFt)}`}
      confirm={say(texts[decision])}
      isDangerous={isConfirming && proposal.direction === 'debit'}
      onConfirm={confirm}
      onClose={onClose}
    >
      <CustomerLine id={proposal.userId} names={names} />
      <p>{whatOf(proposal, language)}</p>
      <p>{proposal.reason}</p>
      <TextField label={texts.note} {...textOf('note')} />
    </ActDialog>
  )
}
