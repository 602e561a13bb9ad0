import { StringStream } from '@codemirror/language'
import { describe, expect, it } from 'vitest'

import { languageOf } from '../../../../../src/features/files/editor/editor-language.ts'
import { logParser } from '../../../../../src/features/files/editor/log-mode.ts'

/** The marked pieces of a line. */
const marks = (line: string): string[] => {
  const stream = new StringStream(line, 2, 2)
  const found: string[] = []
  while (!stream.eol()) {
    stream.start = stream.pos
    const style = logParser.token(stream, {})
    expect(stream.pos).toBeGreaterThan(stream.start)
    if (style !== null) found.push(`${style} ${stream.current()}`)
  }
  return found
}

describe('a log', () => {
  it.each([
    ['[12:34:56] [Server thread/INFO]: Done (3.2s)!', ['comment [12:34:56]', 'meta INFO', 'number 3.2']],
    ['2026-01-02 12:34:56,789 WARN slow', ['comment 2026-01-02 12:34:56,789', 'changed WARN']],
    [
      '2026-01-02T12:34:56.789Z ERROR "world" 7',
      ['comment 2026-01-02T12:34:56.789Z', 'invalid ERROR', 'string "world"', 'number 7'],
    ],
    ['Caused by: java.io.IOException', ['invalid Caused by']],
    ['\tat net.minecraft.Server.run(Server.java:12)', ['comment \tat net.minecraft.Server.run(Server.java:12)']],
    ['player ERRORIST joined, mirrorERROR', []],
    ['é ü "open', []],
  ])('%s', (line, expected) => {
    expect(marks(line)).toEqual(expected)
  })

  it('is known by its name', () => {
    expect([languageOf('latest.log'), languageOf('log.txt')]).toEqual(['log', 'text'])
  })
})
