'use client'

import type { TicketFigures } from '#contracts/http/desk/ticket-figures.ts'
import { words } from '../../../fields/languages.ts'
import { MoneyTable, type Column } from '../../money/money-table.tsx'
import { useAdminLanguage } from '../../money/use-admin-language.ts'
import { texts } from '../ticket-words.ts'
import { Count, Ratings, Times } from './figure-cells.tsx'
import { names } from './figure-words.ts'

const own = {
  categories: words('By category', 'Kategóriánként', 'Nach Kategorie'),
  staff: words('By staff member', 'Munkatársanként', 'Nach Mitarbeiter'),
  noCategory: words(
    'Your role has no ticket categories.',
    'A szerepkörödhöz nem tartozik hibajegy-kategória.',
    'Deine Rolle hat keine Ticketkategorien.',
  ),
  onlyYou: words(
    'You see only your own figures here.',
    'Itt csak a saját számaidat látod.',
    'Hier siehst du nur deine eigenen Zahlen.',
  ),
  nobody: words(
    'Nobody replied to a ticket or solved one in these days.',
    'Ezekben a napokban senki sem válaszolt hibajegyre, és senki sem oldott meg hibajegyet.',
    'In diesen Tagen hat niemand auf ein Ticket geantwortet oder eines gelöst.',
  ),
}

type OfPerson = Pick<TicketFigures['all'], 'answered' | 'firstReply' | 'solved' | 'solving' | 'good' | 'bad'>
/** A row without figures was not read yet. */
type Row<Figures> = { readonly id: string; readonly name: string; readonly figures: Figures | undefined }
export type CategoryRow = Row<TicketFigures['all']>

const ofPerson: readonly Column<Row<OfPerson>>[] = [
  { head: names.answered, cell: ({ figures }) => <Count value={figures?.answered} />, isAmount: true },
  { head: names.firstReply, cell: ({ figures }) => <Times value={figures?.firstReply} /> },
  { head: names.solved, cell: ({ figures }) => <Count value={figures?.solved} />, isAmount: true },
  { head: names.solving, cell: ({ figures }) => <Times value={figures?.solving} /> },
  { head: names.ratings, cell: ({ figures }) => <Ratings value={figures} /> },
]

const ofCategory: readonly Column<CategoryRow>[] = [
  { head: texts.category, cell: ({ name }) => name },
  { head: names.waiting, cell: ({ figures }) => <Count value={figures?.waiting} />, isAmount: true },
  { head: names.opened, cell: ({ figures }) => <Count value={figures?.opened} />, isAmount: true },
  ...ofPerson,
  { head: names.unanswered, cell: ({ figures }) => <Count value={figures?.unanswered} />, isAmount: true },
]

const still = { state: 'ready', reload: () => {} } as const

/** The figures of each category. */
export const CategoriesTable = ({
  rows,
  caption,
}: {
  readonly rows: readonly CategoryRow[]
  readonly caption: string
}) => {
  const { say } = useAdminLanguage()
  return (
    <section aria-label={say(own.categories)}>
      <h2>{say(own.categories)}</h2>
      <MoneyTable
        {...still}
        caption={caption}
        columns={ofCategory}
        items={rows}
        idOf={({ id }) => id}
        empty={say(own.noCategory)}
      />
    </section>
  )
}

/** The figures of each member of staff; nothing before they are read. It stands last on its page, so that it moves nothing. */
export const StaffTable = ({
  staff,
  caption,
  isAdmin,
}: {
  readonly staff: TicketFigures['staff'] | undefined
  readonly caption: string
  readonly isAdmin: boolean
}) => {
  const { say } = useAdminLanguage()
  const rows = staff?.map(({ id, username, ...figures }) => ({ id, name: username || say(texts.erased), figures }))
  return (
    <section aria-label={say(own.staff)}>
      <h2>{say(own.staff)}</h2>
      {isAdmin ? null : <p className="bakter-quiet">{say(own.onlyYou)}</p>}
      {rows === undefined ? null : (
        <MoneyTable
          {...still}
          caption={caption}
          columns={[{ head: names.person, cell: ({ name }) => name }, ...ofPerson]}
          items={rows}
          idOf={({ id }) => id}
          empty={say(own.nobody)}
        />
      )}
    </section>
  )
}
