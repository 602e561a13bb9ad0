import { LOG_MARKS } from '#domain/servers/redaction.ts'
import { ansiRuns } from '../log/ansi.ts'
import { sharedLine } from './shared-line.ts'

const MARKS: readonly string[] = Object.values(LOG_MARKS)
const MARK = new RegExp(`(${MARKS.map((mark) => mark.replaceAll(/[[\]]/g, String.raw`\$&`)).join('|')})`)

const Run = ({ text, className }: { text: string; className: string }) => (
  <span className={className || undefined}>
    {text.split(MARK).map((piece, at) =>
      MARKS.includes(piece) ? (
        <mark key={at} className="shared-mark">
          {piece}
        </mark>
      ) : (
        piece
      ),
    )}
  </span>
)

const Line = ({ line, place }: { line: string; place: number }) => {
  const { day, time, text, level } = sharedLine(line)
  return (
    <li value={place} data-level={level}>
      {time === '' ? null : (
        <span className="shared-time">
          <span className="shared-day">{day}</span>
          {time}
        </span>
      )}
      {ansiRuns(text).map((run, at) => (
        <Run key={at} {...run} />
      ))}
    </li>
  )
}

/** A shared range as text nodes: colours stay, what was taken out is marked, and nothing of it becomes markup. */
export const SharedLines = ({ text, from = 1 }: { text: string; from?: number }) => (
  <ol className="shared-lines" start={from}>
    {text.split('\n').map((line, at) => (
      <Line key={at} line={line} place={from + at} />
    ))}
  </ol>
)

/** How many things were taken out of a text. */
export const countMarks = (text: string): number => text.split(MARK).filter((piece) => MARKS.includes(piece)).length
