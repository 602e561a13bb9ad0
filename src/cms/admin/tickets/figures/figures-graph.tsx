'use client'

import type { TicketFigures } from '#contracts/http/desk/ticket-figures.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatCount } from '@/lib/format/money.ts'
import { words } from '../../../fields/languages.ts'
import { MoneyTable, type Column } from '../../money/money-table.tsx'
import { useAdminLanguage } from '../../money/use-admin-language.ts'
import { Count } from './figure-cells.tsx'
import { names } from './figure-words.ts'
import { STEPS_SIZE, stepsPath } from './steps.ts'

type Day = TicketFigures['days'][number]

const own = {
  title: words('Opened and solved by day', 'Megnyitva és megoldva naponta', 'Geöffnet und gelöst nach Tagen'),
  most: words(
    'Most in one day: {opened} opened, {solved} solved.',
    'Egy nap alatt legfeljebb {opened} hibajegyet nyitottak meg és {solved} hibajegyet oldottak meg.',
    'Höchstwerte eines Tages: {opened} geöffnet, {solved} gelöst.',
  ),
  table: words('Show as a table', 'Táblázatként', 'Als Tabelle zeigen'),
}

/** Tickets opened and solved on each day: steps, a sentence and a table. The drawing has its place before it is read. */
export const FiguresGraph = ({
  days,
  caption,
}: {
  readonly days: readonly Day[] | undefined
  readonly caption: string
}) => {
  const { say, locale } = useAdminLanguage()
  const [opened, solved] = [(days ?? []).map((day) => day.opened), (days ?? []).map((day) => day.solved)]
  const highest = Math.max(1, ...opened, ...solved)
  const most = (values: readonly number[]) => (days === undefined ? '–' : formatCount(Math.max(0, ...values), locale))
  const [first, last] = [days?.[0]?.day, days?.at(-1)?.day]
  return (
    <figure className="bakter-graph" aria-labelledby="figures-graph">
      <figcaption>
        <h2 id="figures-graph">{say(own.title)}</h2>
        <p className="bakter-graph-key">
          <span data-line="opened">{say(names.opened)}</span>
          <span data-line="solved">{say(names.solved)}</span>
        </p>
        <p>{say(own.most).replace('{opened}', most(opened)).replace('{solved}', most(solved))}</p>
      </figcaption>
      <div className="bakter-graph-plot" aria-hidden="true">
        <span>{days === undefined ? '–' : formatCount(highest, locale)}</span>
        <svg viewBox={`0 0 ${STEPS_SIZE.width} ${STEPS_SIZE.height}`} preserveAspectRatio="none">
          <path data-line="solved" d={stepsPath(solved, { highest, isArea: true })} />
          <path data-line="opened" d={stepsPath(opened, { highest, isArea: false })} />
        </svg>
        <span>0</span>
        <p>
          <span>{first === undefined ? '–' : dayName(first, locale)}</span>
          <span>{last === undefined ? '–' : dayName(last, locale)}</span>
        </p>
      </div>
      <details>
        <summary>{say(own.table)}</summary>
        <DaysTable days={days ?? []} caption={caption} />
      </details>
    </figure>
  )
}

const dayName = (day: string, locale: string): string =>
  formatDate(`${day}T12:00:00Z`, locale, { style: 'day', timeZone: 'UTC' })

const DaysTable = ({ days, caption }: { readonly days: readonly Day[]; readonly caption: string }) => {
  const language = useAdminLanguage()
  const columns: readonly Column<Day>[] = [
    { head: names.day, cell: ({ day }) => language.day(day) },
    { head: names.opened, cell: ({ opened }) => <Count value={opened} />, isAmount: true },
    { head: names.solved, cell: ({ solved }) => <Count value={solved} />, isAmount: true },
  ]
  return (
    <MoneyTable
      caption={caption}
      columns={columns}
      items={days.toReversed()}
      idOf={({ day }) => day}
      state="ready"
      empty=""
      reload={() => {}}
    />
  )
}
