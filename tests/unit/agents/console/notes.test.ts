import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { createTranslator } from 'next-intl'
import { describe, expect, it } from 'vitest'

import { decodeLine, encodeLine, oneLine, type ConsoleLine } from '../../../../agents/console/console-line.ts'
import { HistoryReader } from '../../../../agents/console/history-reader.ts'
import { HistoryWriter } from '../../../../agents/console/history.ts'
import { noteLine } from '../../../../agents/console/notes.ts'
import { CONSOLE_NOTES, type KnownConsoleNote } from '../../../../src/contracts/console-notes.ts'
import en from '../../../../src/messages/en.json' with { type: 'json' }

const VALUES: Readonly<Record<string, string | number>> = {
  end: 'code',
  code: 42,
  signal: 'SIGKILL',
  memory: 'full',
  attempt: 2,
  minutes: 15,
  seconds: 1.5,
  crashes: 5,
  text: 'regex:(',
  problem: 'Unterminated group',
  detail: 'There is no image.',
  reason: 'ENOENT',
  step: 1,
  lines: 5_040,
  action: 'start',
}
const noteOf = (code: string, change: Readonly<Record<string, string | number>> = {}): KnownConsoleNote => {
  const names: readonly string[] = CONSOLE_NOTES[code as keyof typeof CONSOLE_NOTES]
  const params = Object.fromEntries(names.map((name) => [name, change[name] ?? VALUES[name] ?? '']))
  return { code, params } as unknown as KnownConsoleNote
}
const english = createTranslator({ locale: 'en', messages: en, namespace: 'console.notes' })
const said = (known: KnownConsoleNote): string => english(known.code, known.params as Record<string, string | number>)

describe('notes of the agent [P20]', () => {
  it('have the words of the page in English, each in all its forms', () => {
    expect(Object.keys(en.console.notes).toSorted()).toEqual(Object.keys(CONSOLE_NOTES).toSorted())
    for (const code of Object.keys(CONSOLE_NOTES))
      for (const change of [
        {},
        { end: 'signal', memory: 'fine', action: 'install' },
        { end: 'unknown', lines: 1, seconds: 3, action: 'other' },
      ]) {
        const known = noteOf(code, change)
        expect(noteLine(known).text).toBe(said(known))
      }
  })

  it('come back from the file with code and parameters, beside records that have none', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bakter-notes-'))
    try {
      const writer = new HistoryWriter(folder)
      const note = noteLine(noteOf('restarts'))
      writer.append([
        { timeMs: 1, stream: 'o', text: 'printed' },
        { timeMs: 2, stream: 'x', ...note },
        { timeMs: 3, stream: 'x', text: 'of an older agent' },
      ])
      writer.close()
      expect(new HistoryReader(folder).after(0, 10).lines).toEqual([
        { seq: 1, timeMs: 1, stream: 'o', text: 'printed' },
        { seq: 2, timeMs: 2, stream: 'x', ...note },
        { seq: 3, timeMs: 3, stream: 'x', text: 'of an older agent' },
      ])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('read what an older agent wrote, also with a tab in it', () => {
    expect(decodeLine('7\t12\tx\tIt says:\tno')).toEqual({ seq: 7, timeMs: 12, stream: 'x', text: 'It says:\tno' })
    expect(decodeLine('7\t12\tx\tplain\t{"code":1}')?.note).toBeUndefined()
  })

  it('are one record whatever stands in them: no line, no tab, no control, no turned text gets through', () => {
    const evil = 'pull failed\n99\t0\tx\tforged\t{"code":"flood","params":{}}\r\u2028\u001b[31m\u202Eabc\0\uD800'
    for (const line of [
      { timeMs: 1, stream: 'x' as const, text: evil },
      { timeMs: 1, stream: 'x' as const, ...noteLine(noteOf('not-started', { detail: evil })) },
    ]) {
      const rows = encodeLine({ seq: 1, ...line }).split('\n')
      expect(rows).toHaveLength(2)
      const read = decodeLine(rows[0] ?? '')
      expect(read?.text).toMatch(/pull failed 99 {4}0 {4}x {4}forged/)
      expect(read?.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202a-\u202e\ud800-\udfff]/)
      expect(read?.note?.code).toBe('note' in line ? 'not-started' : undefined)
    }
    expect(oneLine('a\tb')).toBe('a    b')
  })

  it('are bounded, so that a page takes them', () => {
    const { text, note } = noteLine(noteOf('not-started', { detail: 'y'.repeat(100_000) }))
    expect(text.length).toBeLessThan(1_100)
    expect(String(note?.params['detail']).length).toBe(1_000)
  })

  it('are never made of what a program prints', () => {
    const forged = `x\t{"code":"flood","params":{}}`
    for (const stream of ['o', 'e', 'i'] as const) {
      const line: ConsoleLine = { seq: 1, timeMs: 1, stream, text: forged.replaceAll('\t', '    ') }
      expect(decodeLine(encodeLine(line).trimEnd())).toEqual(line)
      expect(decodeLine(`1\t1\t${stream}\t${forged}`)?.note).toBeUndefined()
    }
  })
})
