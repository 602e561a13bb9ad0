'use client'

import type { StaffPayment } from '#contracts/http/staff-payments.ts'
import { words } from '../../fields/languages.ts'
import { takenBackKinds, takenBackStates } from './money-words.ts'
import { useAdminLanguage } from './use-admin-language.ts'

const texts = {
  title: words('Chargebacks', 'Visszaterhelések', 'Rückbuchungen'),
  fromBalance: words('From the balance: {amount}', 'Az egyenlegből: {amount}', 'Vom Guthaben: {amount}'),
  debt: words('As a debt: {amount}', 'Tartozásként: {amount}', 'Als Schuld: {amount}'),
  givenUp: words('Written off: {amount}', 'Elengedve: {amount}', 'Erlassen: {amount}'),
}

/** Chargebacks of a payment and refunds on the provider's own pages, with the debt that they left. */
export const TakenBack = ({ payment: { takenBack = [] } }: { payment: StaffPayment }) => {
  const { say, ft, moment, name } = useAdminLanguage()
  if (takenBack.length === 0) return null
  return (
    <>
      <h2>{say(texts.title)}</h2>
      <ul className="bakter-list">
        {takenBack.map(({ id, kind, amountFt, fromWalletFt, debtFt, writtenOffFt, state, createdAt }) => (
          <li key={id}>
            <b>{ft(amountFt)}</b> · {name(takenBackKinds, kind)} · {name(takenBackStates, state)} · {moment(createdAt)}
            <br />
            {say(texts.fromBalance).replace('{amount}', ft(fromWalletFt))}
            {debtFt === 0 ? '' : ` · ${say(texts.debt).replace('{amount}', ft(debtFt))}`}
            {writtenOffFt === 0 ? '' : ` · ${say(texts.givenUp).replace('{amount}', ft(writtenOffFt))}`}
          </li>
        ))}
      </ul>
    </>
  )
}
