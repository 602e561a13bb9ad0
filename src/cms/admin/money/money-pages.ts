import { words, type Words } from '../../fields/languages.ts'

export const MONEY_PAGES = [
  'transactions',
  'payments',
  'unmatched',
  'credits',
  'debts',
  'invoices',
  'servers',
  'ledger',
  'clock',
] as const
export type MoneyPage = (typeof MONEY_PAGES)[number]

/** Names of the pages about money, in the menu and above each. */
export const moneyPageNames: Readonly<Record<MoneyPage, Words>> = {
  transactions: words('Transactions', 'Tranzakciók', 'Transaktionen'),
  payments: words('Payments', 'Fizetések', 'Zahlungen'),
  unmatched: words('Unmatched payments', 'Beazonosítatlan befizetések', 'Nicht zugeordnete Zahlungen'),
  credits: words('Balance correction', 'Egyenleg módosítása', 'Guthaben berichtigen'),
  debts: words('Debts', 'Tartozások', 'Schulden'),
  invoices: words('Invoices', 'Számlák', 'Rechnungen'),
  servers: words('Servers', 'Szerverek', 'Server'),
  ledger: words('Ledger', 'Főkönyv', 'Hauptbuch'),
  clock: words('Billing clock', 'Számlázási óra', 'Abrechnungsuhr'),
}

export const moneyGroup = words('Money', 'Pénzügyek', 'Geld')

export const moneyPath = (page: MoneyPage): `/admin/money/${MoneyPage}` => `/admin/money/${page}`

export const isMoneyPage = (name: unknown): name is MoneyPage => MONEY_PAGES.some((page) => page === name)
