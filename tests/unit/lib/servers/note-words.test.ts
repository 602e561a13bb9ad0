import { createTranslator } from 'next-intl'
import { expect, it } from 'vitest'

import { ConsoleLine } from '../../../../src/contracts/panel/messages.ts'
import { appendLines, emptyLog, prependLines } from '../../../../src/features/console/log/log-buffer.ts'
import { noteWords } from '../../../../src/lib/servers/note-words.ts'
import de from '../../../../src/messages/de.json' with { type: 'json' }
import hu from '../../../../src/messages/hu.json' with { type: 'json' }

const words = { de, hu }
const sayIn = (locale: keyof typeof words) => {
  const t = createTranslator({ locale, messages: words[locale], namespace: 'console.notes' })
  return (note: Parameters<typeof noteWords>[1]) => noteWords((code, params) => t(code, params), note)
}
const crashed = { code: 'crashed', params: { end: 'code', code: 42, signal: '', memory: 'full' } }
const text = 'The server stopped unexpectedly with exit code 42, because it ran out of memory.'
const room = (locale: keyof typeof words) => ({ limit: 100, isHeld: false, say: sayIn(locale) })
const shown = (log: ReturnType<typeof appendLines>) =>
  log.entries.flatMap((entry) => (entry.kind === 'line' ? [entry.text] : []))

it('says a note in the language of the page, live and from the older pages of the log', () => {
  const hungarian = 'A szerver váratlanul leállt (kilépési kód: 42), mert elfogyott a memóriája.'
  expect(shown(appendLines(emptyLog, [[5, 0, 'x', text, crashed]], room('hu')))).toEqual([hungarian])
  const held = appendLines(emptyLog, [[9, 0, 'o', 'later']], room('hu'))
  expect(shown(prependLines(held, [[8, 0, 'x', text, crashed]], room('hu')))).toEqual([hungarian, 'later'])
  expect(shown(appendLines(emptyLog, [[5, 0, 'x', text, crashed]], room('de')))).toEqual([
    'Der Server hat sich unerwartet beendet (Exit-Code: 42), weil ihm der Arbeitsspeicher ausging.',
  ])
})

it('shows the text of a note of another version: without a code, with one it does not know, or without its parameters', () => {
  for (const note of [
    undefined,
    { code: 'later', params: {} },
    { code: 'toString', params: {} },
    { ...crashed, params: {} },
  ])
    expect(
      shown(appendLines(emptyLog, [note === undefined ? [5, 0, 'x', text] : [5, 0, 'x', text, note]], room('hu'))),
    ).toEqual([text])
})

it('takes no note from a line that a program has printed', () => {
  for (const stream of ['o', 'e', 'i'] as const)
    expect(shown(appendLines(emptyLog, [[5, 0, stream, 'printed', crashed]], room('hu')))).toEqual(['printed'])
})

it('gives a note the same level in every language', () => {
  const failed = 'The installation failed. There is no image.'
  const note = { code: 'install-failed', params: { detail: 'There is no image.' } }
  const levels = (['hu', 'de'] as const).map(
    (locale) => appendLines(emptyLog, [[1, 0, 'x', failed, note]], room(locale)).entries[0],
  )
  for (const entry of levels) expect(entry).toMatchObject({ level: 'error' })
})

it('reads lines with a note and without on the wire, and no broken note', () => {
  expect(ConsoleLine.safeParse([1, 0, 'x', text]).success).toBe(true)
  expect(ConsoleLine.safeParse([1, 0, 'x', text, crashed]).success).toBe(true)
  expect(ConsoleLine.safeParse([1, 0, 'x', text, { code: 'x'.repeat(65), params: {} }]).success).toBe(false)
  expect(ConsoleLine.safeParse([1, 0, 'x', text, { code: 'x', params: { a: {} } }]).success).toBe(false)
})
