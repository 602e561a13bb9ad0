import { describe, expect, it } from 'vitest'
import { fileText } from '@/features/files/editor/file-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('the content of a file', () => {
  it('is text in UTF-8, with its byte order mark and its line breaks', () => {
    expect(fileText(bytes('motd=Őrsi\n'), true)).toEqual({ kind: 'text', text: 'motd=Őrsi\n', lineBreak: '\n' })
    expect(fileText(bytes('a\r\nb\r\n'), true)).toMatchObject({ lineBreak: '\r\n' })
    expect(fileText(bytes('\uFEFFa'), true)).toMatchObject({ text: '\uFEFFa' })
    expect(fileText(bytes(''), true)).toEqual({ kind: 'text', text: '', lineBreak: '\n' })
  })

  it('with both kinds of line breaks keeps each of them', () => {
    expect(fileText(bytes('a\r\nb\nc'), true)).toMatchObject({ text: 'a\r\nb\nc', lineBreak: '\n' })
  })

  it('is no text with a zero byte, or in another encoding', () => {
    expect(fileText(bytes('PK\0\0'), true)).toEqual({ kind: 'binary' })
    expect(fileText(new Uint8Array([0x61, 0xe9, 0x62]), true)).toEqual({ kind: 'binary' })
  })

  it('whose beginning ends within a character is text up to there, a whole one is not', () => {
    const cut = bytes('aő').subarray(0, 2)
    expect(fileText(cut, false)).toMatchObject({ text: 'a' })
    expect(fileText(cut, true)).toEqual({ kind: 'binary' })
  })
})
