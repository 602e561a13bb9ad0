import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LineSplitter } from '../../../../agents/console/line-splitter.ts'
import { crashReport } from '../../../../src/domain/known-errors/crash-report.ts'
import { CONSOLE_CUT } from '../../../../src/domain/servers/console-cut.ts'
import { sharedText } from '../../../../src/domain/servers/log-share.ts'
import { contextLines } from '../../../../src/domain/tickets/server-context.ts'

const ESC = String.fromCharCode(27)
/** Secrets of each kind; so many of their characters in a row would be a part of one. */
const SECRETS = [
  ['ghp', 'Kq7Wm2Xz9Rt4Vb6Ny8Pc3Lf5Hd1Gj0Sa7Ue'].join('_'),
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.${'Zx81'.repeat(8)}`,
  'anna.kovacs@example.test',
  '203.0.113.94',
  '2001:db8:7a11:90ce:5511:6622:7733:8844',
  '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c',
]
const PART = 5
const partsOf = (secret: string) =>
  Array.from({ length: secret.length - PART + 1 }, (_, at) => secret.slice(at, at + PART))
const BYTES = 128

/** Text around a secret, with and without spaces, colours and characters of several bytes. */
const around = fc
  .array(fc.constantFrom(' ', 'log ', '"key":"', ',', 'ő', '🎮', `${ESC}[31m`, `${ESC}[0m`, '=', '\t'), {
    maxLength: 60,
  })
  .map((pieces) => pieces.join(''))

/** The lines that a node makes of a text which it has to cut at some place. */
const nodeLines = (text: string, chunk: number): string[] => {
  const splitter = new LineSplitter(BYTES)
  const bytes = Buffer.from(text)
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += chunk) lines.push(...splitter.push(bytes.subarray(at, at + chunk)))
  return [...lines, ...splitter.flush()]
}

it('no part of a secret is left where a node has cut it in two, wherever that was', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SECRETS),
      fc.integer({ min: 1, max: BYTES - 1 }),
      fc.tuple(around, around, fc.constantFrom('', '12:30:05  ')),
      fc.integer({ min: 1, max: 300 }),
      (secret, inSecret, [before, after, time], chunk) => {
        // The secret is at the end of what the node takes for one line.
        const cut = Math.min(inSecret, secret.length - 1)
        const head = Buffer.from(`${before} `)
        const lead = 'word '.repeat(100).slice(0, Math.max(0, 2 * BYTES - head.length - cut - 1))
        const lines = nodeLines(`${lead} ${before} ${secret} ${after}\n`, chunk)
        const shown = [
          sharedText(lines.map((line) => time + line).join('\n')),
          contextLines(lines).join('\n'),
          crashReport(lines, 1_000).lines.join('\n'),
        ]
        for (const text of shown)
          for (const part of partsOf(secret)) expect([text, text.includes(part)]).toEqual([text, false])
      },
    ),
    { numRuns: 1_500 },
  )
})

it('words that stand away from the cut stay', () => {
  const [first = '', second = ''] = nodeLines(`${'word '.repeat(25)}anna@example.test came in\n`, 1_000)
  expect([first.endsWith(CONSOLE_CUT), second.startsWith(CONSOLE_CUT)]).toEqual([true, true])
  expect(sharedText(`${first}\n12:30  ${second}`)).toBe(`${'word '.repeat(25)}…\n12:30  … came in`)
})
