import { describe, expect, it } from 'vitest'
import { fileText, WHOLE } from '@/features/files/editor/file-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('the content of a file', () => {
  it('is text in UTF-8, with its byte order mark and its line breaks', () => {
    expect(fileText(bytes('motd=Őrsi\n'), WHOLE)).toEqual({ kind: 'text', text: 'motd=Őrsi\n', lineBreak: '\n' })
    expect(fileText(bytes('a\r\nb\r\n'), WHOLE)).toMatchObject({ lineBreak: '\r\n' })
    expect(fileText(bytes('\uFEFFa'), WHOLE)).toMatchObject({ text: '\uFEFFa' })
    expect(fileText(bytes(''), WHOLE)).toEqual({ kind: 'text', text: '', lineBreak: '\n' })
  })

  it('with both kinds of line breaks keeps each of them', () => {
    expect(fileText(bytes('a\r\nb\nc'), WHOLE)).toMatchObject({ text: 'a\r\nb\nc', lineBreak: '\n' })
  })

  it('is no text with a zero byte, or in another encoding', () => {
    expect(fileText(bytes('PK\0\0'), WHOLE)).toEqual({ kind: 'binary' })
    expect(fileText(new Uint8Array([0x61, 0xe9, 0x62]), WHOLE)).toEqual({ kind: 'binary' })
  })

  it('whose beginning ends within a character is text up to there, a whole one is not', () => {
    const cut = bytes('aő').subarray(0, 2)
    expect(fileText(cut, { hasStart: true, hasEnd: false })).toMatchObject({ text: 'a' })
    expect(fileText(cut, WHOLE)).toEqual({ kind: 'binary' })
  })

  it.each([
    ['a', 'őb', 1, 'b'],
    ['a', '😀b', 1, 'b'],
    ['a', '😀b', 2, 'b'],
    ['a', '😀b', 3, 'b'],
    ['ab', 'ő', 0, 'ő'],
  ])(
    'whose piece begins within a character is text from the next one on: %s%s, %d bytes in',
    (before, rest, into, text) => {
      const piece = bytes(before + rest).subarray(bytes(before).length + into)
      expect(fileText(piece, { hasStart: false, hasEnd: true })).toMatchObject({ kind: 'text', text })
      expect(fileText(piece, WHOLE).kind).toBe(into === 0 ? 'text' : 'binary')
    },
  )

  it('is no text where more bytes of a character follow than it can have', () => {
    expect(fileText(new Uint8Array([0x80, 0x80, 0x80, 0x80, 0x61]), { hasStart: false, hasEnd: true }).kind).toBe(
      'binary',
    )
  })
})
