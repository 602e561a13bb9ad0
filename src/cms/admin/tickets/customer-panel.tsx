'use client'

import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { words, type Words } from '../../fields/languages.ts'
import { Facts, type Fact } from '../money/facts.tsx'
import { ReadFailure } from '../money/money-table.tsx'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { CustomerFacts } from './customer-facts.tsx'
import { texts } from './ticket-words.ts'
import { useAccount, type Account } from './use-customer.ts'

const own = {
  title: words('Customer', 'Ügyfél', 'Kunde'),
  username: words('Username', 'Felhasználónév', 'Benutzername'),
  identifier: words('Identifier', 'Azonosító', 'ID'),
  email: words('E-mail address', 'E-mail-cím', 'E-Mail-Adresse'),
  masked: words('Contact (masked)', 'Elérhetőség (takarva)', 'Kontakt (verdeckt)'),
  language: words('Language', 'Nyelv', 'Sprache'),
  account: words('Account', 'Fiók', 'Konto'),
  hidden: words(
    "You don't have access to this account's details.",
    'Ennek a fióknak az adataihoz nincs hozzáférésed.',
    'Auf die Daten dieses Kontos hast du keinen Zugriff.',
  ),
}
const languages: Readonly<Record<string, Words>> = {
  en: words('English', 'angol', 'Englisch'),
  hu: words('Hungarian', 'magyar', 'Ungarisch'),
  de: words('German', 'német', 'Deutsch'),
}
const problems = {
  suspended: words('Suspended', 'Felfüggesztve', 'Gesperrt'),
  leaving: words('Being deleted', 'Törlés alatt', 'Wird gelöscht'),
  erased: words('Deleted', 'Törölve', 'Gelöscht'),
  unverified: words(
    'E-mail address not confirmed',
    'Az e-mail-cím nincs megerősítve',
    'E-Mail-Adresse nicht bestätigt',
  ),
}

const problemsOf = ({ suspended, accountState, verified }: Account): readonly Words[] => [
  ...(suspended ? [problems.suspended] : []),
  ...(accountState === 'leaving' || accountState === 'erased' ? [problems[accountState]] : []),
  ...(verified ? [] : [problems.unverified]),
]

type Props = { readonly ticket: Ticket; readonly isAdmin: boolean; readonly reload: () => Promise<unknown> }

/**
 * The opener of the ticket: the account, the balance and the servers. Only administrators open the account's own page.
 */
export const CustomerPanel = ({ ticket, isAdmin, reload }: Props) => {
  const { opener } = ticket
  const { say } = useAdminLanguage()
  const account = useAccount(opener.id)
  return (
    <section aria-label={say(own.title)}>
      <h2>{say(own.title)}</h2>
      <p className="bakter-customer">
        {isAdmin ? (
          <a href={`/admin/collections/users/${opener.id}`}>{opener.username || say(texts.erased)}</a>
        ) : (
          <b>{opener.username || say(texts.erased)}</b>
        )}
      </p>
      {account.isError ? <ReadFailure again={() => void account.refetch()} /> : null}
      {account.isPending ? <p role="status">{say(common.loading)}</p> : null}
      {account.data === null ? <p className="bakter-quiet">{say(own.hidden)}</p> : null}
      {account.data ? <AccountFacts account={account.data} /> : null}
      <CustomerFacts ticket={ticket} reload={reload} />
    </section>
  )
}

const AccountFacts = ({ account }: { readonly account: Account }) => {
  const { say, name } = useAdminLanguage()
  const { identifier, email, maskedContact, language } = account
  const contact: readonly Fact[] =
    email !== undefined ? [[say(own.email), email]] : maskedContact ? [[say(own.masked), maskedContact]] : []
  const facts: readonly Fact[] = [
    ...(identifier ? [[say(own.identifier), identifier] as const] : []),
    ...contact,
    [say(own.language), name(languages, language)],
  ]
  return (
    <>
      <Facts lines={facts} />
      {problemsOf(account).map((problem) => (
        <p key={problem.en} className="bakter-fault">
          {say(problem)}
        </p>
      ))}
    </>
  )
}
