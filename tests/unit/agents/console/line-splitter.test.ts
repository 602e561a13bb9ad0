import { describe, expect, it } from 'vitest'

import { LineSplitter } from '../../../../agents/console/line-splitter.ts'

const unmarked = (pieces: readonly string[]) => pieces.map((piece) => piece.replaceAll('⋯', ''))

describe('line splitter', () => {
  it('joins pieces and keeps the unfinished rest, also inside a character of several bytes', () => {
    const splitter = new LineSplitter()
    const bytes = Buffer.from('első\nmáso')
    expect(splitter.push(bytes.subarray(0, 4))).toEqual([])
    expect(splitter.push(bytes.subarray(4))).toEqual(['első'])
    expect(splitter.push(Buffer.from('dik\r\n'))).toEqual(['második'])
    expect(splitter.flush()).toEqual([])
  })

  it('cuts a line that never ends, so that memory is bounded, and marks both sides of each cut', () => {
    const splitter = new LineSplitter(8)
    expect(splitter.push(Buffer.from('abcdefghijklmnopqr'))).toEqual(['abcdefgh⋯', '⋯ijklmnop⋯'])
    expect(splitter.flush()).toEqual(['⋯qr'])
    expect(splitter.push(Buffer.from('abcdefghi\nnext\n'))).toEqual(['abcdefgh⋯', '⋯i', 'next'])
  })

  it('takes progress that is written over itself as lines, and a return before a line feed as part of its end', () => {
    const splitter = new LineSplitter()
    expect(splitter.push(Buffer.from('\r10%\r20%\r\r30%'))).toEqual(['10%', '20%'])
    expect(splitter.push(Buffer.from('\r'))).toEqual([])
    expect(splitter.push(Buffer.from('\ndone\r\r\n\r\n'))).toEqual(['30%', 'done', ''])
    expect(splitter.push(Buffer.from('last\r'))).toEqual([])
    expect(splitter.flush()).toEqual(['last'])
    expect(splitter.push(Buffer.from('\r'.repeat(100_000)))).toEqual([])
    expect(splitter.flush()).toEqual([])
  })

  it('loses nothing of progress without an end, whatever the chunks', () => {
    const steps = Array.from({ length: 5_000 }, (_, index) => `step ${index}`)
    const bytes = Buffer.from(steps.join('\r'))
    const splitter = new LineSplitter(64)
    const lines: string[] = []
    for (let at = 0; at < bytes.length; at += 77) lines.push(...splitter.push(bytes.subarray(at, at + 77)))
    expect([...lines, ...splitter.flush()]).toEqual(steps)
  })

  it('cuts a long line between characters', () => {
    const text = 'ő🎮'.repeat(50)
    const splitter = new LineSplitter(16)
    const pieces = splitter.push(Buffer.from(`${text}\n`))
    expect(pieces.length).toBeGreaterThan(15)
    expect(unmarked(pieces).join('')).toBe(text)
    expect(unmarked(pieces).every((piece) => Buffer.byteLength(piece) <= 16 && !piece.includes('\uFFFD'))).toBe(true)
    // Bytes that are no text at all are cut all the same.
    expect(new LineSplitter(8).push(Buffer.alloc(20, 0x80)).length).toBe(2)
  })

  const CHARACTERS = ['é', '€', '🎮']
  it.each(CHARACTERS.flatMap((character) => [0, 1, 2, 3].map((before) => [character, before] as const)))(
    'never cuts the character %s with %i bytes before the limit in front of it',
    (character, before) => {
      const text = `${'a'.repeat(16 - before)}${character}${'b'.repeat(20)}`
      for (const size of [1, 7, 100]) {
        const splitter = new LineSplitter(16)
        const bytes = Buffer.from(text)
        const pieces: string[] = []
        for (let at = 0; at < bytes.length; at += size) pieces.push(...splitter.push(bytes.subarray(at, at + size)))
        pieces.push(...splitter.flush())
        expect(unmarked(pieces).join('')).toBe(text)
        expect(unmarked(pieces).every((piece) => Buffer.byteLength(piece) <= 16)).toBe(true)
      }
    },
  )

  it('keeps empty lines and takes out what would break a record', () => {
    const splitter = new LineSplitter()
    expect(splitter.push(Buffer.from('\n\ta\0b\n'))).toEqual(['', '    ab'])
  })
})
