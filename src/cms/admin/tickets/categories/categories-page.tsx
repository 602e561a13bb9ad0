'use client'

import { Link } from '@payloadcms/ui'
import type { Locale } from '#contracts/locale.ts'
import type { TicketFigures } from '#contracts/http/desk/ticket-figures.ts'
import { words, type Words } from '../../../fields/languages.ts'
import { MoneyTable, ReadFailure, type Column } from '../../money/money-table.tsx'
import { useAdminLanguage } from '../../money/use-admin-language.ts'
import { CATEGORY_FORMS_PATH, TICKETS_PATH } from '../../ticket-area.ts'
import { AsOf } from '../as-of.tsx'
import { Count, Times } from '../figures/figure-cells.tsx'
import { names } from '../figures/figure-words.ts'
import { useFigures } from '../figures/use-figures.ts'
import { NamedPage, TicketsTabs } from '../named-page.tsx'
import { texts } from '../ticket-words.ts'
import type { ListedCategory } from './listed-categories.ts'

const own = {
  about: words(
    'Customers choose a category when they open a ticket. It decides which support roles see the ticket. Administrators see every ticket.',
    'Az ügyfél a hibajegy megnyitásakor választ kategóriát. Ez dönti el, mely ügyfélszolgálati szerepkörök látják a hibajegyet. Az adminisztrátorok minden hibajegyet látnak.',
    'Kunden wählen beim Öffnen eines Tickets eine Kategorie. Sie bestimmt, welche Support-Rollen das Ticket sehen. Administratoren sehen alle Tickets.',
  ),
  add: words('New category', 'Új kategória', 'Neue Kategorie'),
  none: words(
    'There are no categories yet, so customers cannot open tickets.',
    'Még nincs kategória, ezért az ügyfelek nem nyithatnak hibajegyet.',
    'Es gibt noch keine Kategorien, deshalb können Kunden keine Tickets öffnen.',
  ),
  state: words('New tickets', 'Új hibajegyek', 'Neue Tickets'),
  active: words('Customers can choose it', 'Választható', 'Auswählbar'),
  inactive: words('Switched off', 'Kikapcsolva', 'Ausgeschaltet'),
  roles: words('Support roles', 'Ügyfélszolgálati szerepkörök', 'Support-Rollen'),
  noRole: words('None: only administrators see it', 'Egy sem: csak adminok látják', 'Keine: nur Admins sehen es'),
  mine: words('Your tickets', 'A te hibajegyeid', 'Deine Tickets'),
  isMine: words('You work on it', 'Te is kezeled', 'Du bearbeitest sie'),
  isNotMine: words('Not yours', 'Nem a tiéd', 'Nicht deine'),
  showsQueue: words(
    'Tickets that wait in {name}: {count}',
    'Várakozó hibajegyek itt: {name}: {count}',
    'Wartende Tickets in {name}: {count}',
  ),
  reply: words('First reply, last 30 days', 'Első válasz, utolsó 30 nap', 'Erste Antwort, letzte 30 Tage'),
  unnamed: words('no name', 'nincs név', 'kein Name'),
}

const languages: Readonly<Record<Locale, Words>> = {
  en: words('English', 'Angol', 'Englisch'),
  hu: words('Hungarian', 'Magyar', 'Ungarisch'),
  de: words('German', 'Német', 'Deutsch'),
}

type Figures = Pick<TicketFigures['categories'][number], 'waiting' | 'firstReply'>
/** A category without a row has no tickets. */
const NO_TICKETS: Figures = { waiting: 0, firstReply: null }
/** `figures` is undefined until it is read, and where the reader does not work on the category. */
type Row = ListedCategory & { readonly figures: Figures | undefined }

/** The names of a category: the reader's own leads to its form, those of the other languages stand below it. */
const Names = ({ id, name, others }: Row) => {
  const { say } = useAdminLanguage()
  return (
    <div className="bakter-category">
      <Link href={`${CATEGORY_FORMS_PATH}/${id}`} prefetch={false}>
        {name}
      </Link>
      {others.map((other) => (
        <span key={other.language} className={other.name === null ? 'bakter-lacks' : 'bakter-quiet'}>
          {say(languages[other.language])}:{' '}
          {other.name === null ? say(own.unnamed) : <span lang={other.language}>{other.name}</span>}
        </span>
      ))}
    </div>
  )
}

/** The number of waiting tickets, as the way to them. */
const Waiting = ({ id, name, figures }: Row) => {
  const { say } = useAdminLanguage()
  const waiting = figures?.waiting
  if (waiting === undefined) return <Count value={undefined} />
  const label = say(own.showsQueue)
    .replace('{name}', () => name)
    .replace('{count}', String(waiting))
  return (
    <Link className="bakter-count" href={`${TICKETS_PATH}?category=${id}`} prefetch={false} aria-label={label}>
      <Count value={waiting} />
    </Link>
  )
}

const State = ({ isActive }: Row) => {
  const { say } = useAdminLanguage()
  return (
    <span className="bakter-state">
      <svg viewBox="0 0 16 16" width="12" height="12" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
        <circle cx="8" cy="8" r={isActive ? 6 : 5.5} fill={isActive ? 'currentColor' : 'none'} />
      </svg>
      {say(isActive ? own.active : own.inactive)}
    </span>
  )
}

const Workers = ({ roles, isMine }: Row) => {
  const { say } = useAdminLanguage()
  if (roles === undefined) return <>{say(isMine ? own.isMine : own.isNotMine)}</>
  if (roles.length === 0) return <span className="bakter-lacks">{say(own.noRole)}</span>
  return <>{roles.join(', ')}</>
}

const columnsFor = (isAdmin: boolean): readonly Column<Row>[] => [
  { head: texts.category, cell: (row) => <Names {...row} /> },
  { head: own.state, cell: (row) => <State {...row} /> },
  { head: isAdmin ? own.roles : own.mine, cell: (row) => <Workers {...row} /> },
  { head: names.waiting, cell: (row) => <Waiting {...row} />, isAmount: true },
  { head: own.reply, cell: ({ figures }) => <Times value={figures?.firstReply} /> },
]

type Props = { readonly categories: readonly ListedCategory[]; readonly isAdmin: boolean }

/** The categories of tickets: what customers read, who works on them, and what waits there. */
export const CategoriesPage = ({ categories, isAdmin }: Props) => {
  const { say } = useAdminLanguage()
  const { figures, atMs, isFailed, reload } = useFigures('30')
  const rows = categories.map((category) => ({
    ...category,
    figures:
      figures?.categories.find(({ id }) => id === category.id) ??
      (figures !== undefined && (isAdmin || category.isMine) ? NO_TICKETS : undefined),
  }))
  return (
    <NamedPage below={say(texts.categories)}>
      <header className="bakter-queue-head">
        <h1>{say(texts.categories)}</h1>
        <AsOf atMs={atMs} isFailed={isFailed && figures !== undefined} />
        {isAdmin ? (
          <Link
            className="btn btn--style-primary btn--size-medium"
            href={`${CATEGORY_FORMS_PATH}/create`}
            prefetch={false}
          >
            {say(own.add)}
          </Link>
        ) : null}
      </header>
      <TicketsTabs here="categories" />
      {isFailed && figures === undefined ? <ReadFailure again={reload} /> : null}
      <MoneyTable
        caption={say(own.about)}
        columns={columnsFor(isAdmin)}
        items={rows}
        idOf={({ id }) => id}
        state="ready"
        empty={say(own.none)}
        reload={reload}
      />
    </NamedPage>
  )
}
