'use client'

import { Button, toast } from '@payloadcms/ui'
import { useState } from 'react'
import type { Debt } from '#contracts/http/staff-money.ts'
import { WriteOffDebt } from '#contracts/http/staff-payments.ts'
import { words } from '../../fields/languages.ts'
import { ActDialog } from './act-dialog.tsx'
import { actAsAdmin, askAdmin } from './ask-admin.ts'
import { TextField } from './fields.tsx'
import { CustomerLine, MoneyTable, PersonLink, type Column } from './money-table.tsx'
import { common } from './money-words.ts'
import { useActForm } from './use-checked-form.ts'
import { useAdminLanguage } from './use-admin-language.ts'
import { useList } from './use-list.ts'
import { usePeople } from './use-people.ts'

const texts = {
  caption: words('Customers in debt', 'Tartozó ügyfelek', 'Kunden mit Schulden'),
  empty: words('No customer is in debt.', 'Senkinek sincs tartozása.', 'Niemand hat Schulden.'),
  debt: words('Debt', 'Tartozás', 'Schuld'),
  money: words('Balance', 'Egyenleg', 'Guthaben'),
  since: words('Last increase', 'Utolsó növekedés', 'Letzter Anstieg'),
  act: words('Write off', 'Elengedés', 'Erlassen'),
  title: words('Write off a debt of {amount}', 'Tartozás elengedése: {amount}', 'Schuld von {amount} erlassen'),
  text: words(
    'The company bears the loss. The whole debt is written off.',
    'A cég viseli. Az ügyfél teljes tartozása megszűnik.',
    'Das Unternehmen trägt den Verlust. Die ganze Schuld wird erlassen.',
  ),
  done: words('{amount} written off.', 'Elengedve: {amount}.', '{amount} wurden erlassen.'),
}

/** Customers with a debt, and its write-off. */
export const Debts = () => {
  const language = useAdminLanguage()
  const { say, ft, moment } = language
  const [debt, setDebt] = useState<Debt | null>(null)
  const list = useList<Debt>('debts', '', async () => {
    const answer = await askAdmin('GET /api/admin/debts')
    return answer.ok ? { items: answer.body.items, next: null } : undefined
  })
  const names = usePeople(list.items.map(({ userId }) => userId))
  const columns: readonly Column<Debt>[] = [
    { head: common.customer, cell: ({ userId }) => <PersonLink id={userId} names={names} /> },
    { head: texts.since, cell: ({ since }) => (since === null ? '–' : moment(since)) },
    { head: texts.debt, isAmount: true, cell: ({ debtFt }) => ft(debtFt) },
    { head: texts.money, isAmount: true, cell: ({ moneyFt }) => ft(moneyFt) },
    {
      head: common.act,
      cell: (owed) => (
        <Button size="small" margin={false} buttonStyle="secondary" onClick={() => setDebt(owed)}>
          {say(texts.act)}
        </Button>
      ),
    },
  ]
  return (
    <>
      <MoneyTable
        {...list}
        caption={say(texts.caption)}
        columns={columns}
        idOf={({ userId }) => userId}
        empty={say(texts.empty)}
      />
      {debt === null ? null : (
        <WriteOffDialog debt={debt} names={names} reload={list.reload} onClose={() => setDebt(null)} />
      )}
    </>
  )
}

type DialogProps = {
  readonly debt: Debt
  readonly names: ReadonlyMap<string, string>
  readonly reload: () => void
  readonly onClose: () => void
}

const WriteOffDialog = ({ debt, names, reload, onClose }: DialogProps) => {
  const { say, ft } = useAdminLanguage()
  const { textOf, confirm } = useActForm({
    schema: WriteOffDebt.pick({ reason: true }),
    defaultValues: { reason: '' },
    sentences: { reason: say(common.reasonShort) },
    act: async (input) => {
      const answer = await actAsAdmin('POST /api/admin/debts/{id}/write-off', { id: debt.userId, input })
      if (!answer.ok) return answer
      toast.success(say(texts.done).replace('{amount}', ft(answer.body.amountFt)))
      reload()
      return undefined
    },
  })
  return (
    <ActDialog
      title={say(texts.title).replace('{amount}', ft(debt.debtFt))}
      confirm={say(texts.act)}
      isDangerous
      onConfirm={confirm}
      onClose={onClose}
    >
      <CustomerLine id={debt.userId} names={names} />
      <p>{say(texts.text)}</p>
      <TextField type="textarea" label={common.reason} hint={common.reasonOwn} {...textOf('reason')} />
    </ActDialog>
  )
}
