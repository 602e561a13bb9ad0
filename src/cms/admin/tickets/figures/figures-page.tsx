'use client'

import type { TicketFigures } from '#contracts/http/desk/ticket-figures.ts'
import { LEAST_REPLIES } from '#domain/tickets/reply-time.ts'
import { useAddressChoice } from '@/ui/screen/address-state.ts'
import { words } from '../../../fields/languages.ts'
import { Facts, type Fact } from '../../money/facts.tsx'
import { ChoiceField } from '../../money/fields.tsx'
import { ReadFailure } from '../../money/money-table.tsx'
import { useAdminLanguage } from '../../money/use-admin-language.ts'
import { AsOf } from '../as-of.tsx'
import { NamedPage, TicketsTabs } from '../named-page.tsx'
import { texts } from '../ticket-words.ts'
import { Count, Ratings, Times } from './figure-cells.tsx'
import { names, periods } from './figure-words.ts'
import { FiguresGraph } from './figures-graph.tsx'
import { CategoriesTable, StaffTable, type CategoryRow } from './figures-tables.tsx'
import { useFigures } from './use-figures.ts'

const own = {
  title: words('Figures of the tickets', 'A hibajegyek számai', 'Zahlen zu den Tickets'),
  period: words('Period', 'Időszak', 'Zeitraum'),
  how: words('How these are counted', 'Hogyan számoljuk ezeket?', 'So wird gezählt'),
}

const rules = [
  words(
    'A day is a calendar day in Budapest. Today is included.',
    'A nap budapesti naptári nap. A mai nap is beleszámít.',
    'Ein Tag ist ein Kalendertag in Budapest. Heute zählt mit.',
  ),
  words(
    'The first reply is the first message of staff. Internal notes do not count.',
    'Az első válasz az ügyfélszolgálat első üzenete. A belső jegyzet nem számít.',
    'Die erste Antwort ist die erste Nachricht des Supports. Interne Notizen zählen nicht.',
  ),
  words(
    'A solved ticket was closed after a reply. Its time runs from its opening to its last closing.',
    'A megoldott hibajegyet válasz után zárták le. Az ideje a megnyitásától az utolsó lezárásáig tart.',
    'Ein gelöstes Ticket wurde nach einer Antwort geschlossen. Seine Zeit läuft vom Öffnen bis zum letzten Schließen.',
  ),
  words(
    'A first reply counts for its author. A solved ticket and its rating count for the assignee, or without one for the author of the first reply.',
    'Az első válasz a szerzőjének számít. A megoldott hibajegy és az értékelése a felelősnek számít, felelős nélkül az első válasz szerzőjének.',
    'Eine erste Antwort zählt für ihren Autor. Ein gelöstes Ticket und seine Bewertung zählen für die zuständige Person, ohne sie für den Autor der ersten Antwort.',
  ),
  words(
    `Times appear from ${LEAST_REPLIES} tickets.`,
    `Az idők legalább ${LEAST_REPLIES} hibajegytől jelennek meg.`,
    `Zeiten erscheinen ab ${LEAST_REPLIES} Tickets.`,
  ),
]

type Category = { readonly id: string; readonly name: string }
type Props = { readonly categories: readonly Category[]; readonly isAdmin: boolean }

/** The categories of the reader have their rows before their figures are read, so that nothing moves. */
const rowsOf = (
  figures: TicketFigures | undefined,
  categories: readonly Category[],
  gone: string,
): readonly CategoryRow[] =>
  figures === undefined
    ? categories.map(({ id, name }) => ({ id, name, figures: undefined }))
    : figures.categories.map(({ id, name, ...rest }) => ({ id, name: name || gone, figures: rest }))

/** How soon tickets are answered and solved, and how customers rate them. */
export const FiguresPage = ({ categories, isAdmin }: Props) => {
  const { say } = useAdminLanguage()
  const [days, setDays] = useAddressChoice('days', ['30', '7', '90'])
  const { figures, atMs, isOld, isFailed, reload } = useFigures(days)
  return (
    <NamedPage below={say(texts.figures)}>
      <header className="bakter-queue-head">
        <h1>{say(own.title)}</h1>
        <AsOf atMs={atMs} isFailed={isFailed && figures !== undefined} />
      </header>
      <TicketsTabs here="figures" />
      <div className="bakter-filters">
        <ChoiceField
          label={own.period}
          value={days}
          onChange={(next) => setDays(next as typeof days)}
          options={periods}
        />
      </div>
      {isFailed && figures === undefined ? (
        <ReadFailure again={reload} />
      ) : (
        <div className="bakter-figures" aria-busy={figures === undefined || isOld}>
          <All figures={figures?.all} />
          <FiguresGraph days={figures?.days} caption={say(periods[days])} />
          <details>
            <summary>{say(own.how)}</summary>
            <ul className="bakter-list">
              {rules.map((rule) => (
                <li key={rule.en}>{say(rule)}</li>
              ))}
            </ul>
          </details>
          <CategoriesTable rows={rowsOf(figures, categories, say(names.gone))} caption={say(periods[days])} />
          <StaffTable staff={figures?.staff} caption={say(periods[days])} isAdmin={isAdmin} />
        </div>
      )}
    </NamedPage>
  )
}

const All = ({ figures }: { readonly figures: TicketFigures['all'] | undefined }) => {
  const { say } = useAdminLanguage()
  const lines: readonly Fact[] = [
    ...(['waiting', 'opened', 'answered', 'solved', 'unanswered'] as const).map(
      (name) => [say(names[name]), <Count key={name} value={figures?.[name]} />] as const,
    ),
    [say(names.ratings), <Ratings key="ratings" value={figures} />],
    [say(names.firstReply), <Times key="reply" value={figures?.firstReply} />],
    [say(names.solving), <Times key="solving" value={figures?.solving} />],
  ]
  return <Facts lines={lines} />
}
