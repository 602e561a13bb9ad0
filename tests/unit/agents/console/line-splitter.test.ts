import { describe, expect, it } from 'vitest'

import { LineSplitter } from '../../../../agents/console/line-splitter.ts'

describe('line splitter', () => {
  it('joins pieces and keeps the unfinished rest, also inside a character of several bytes', () => {
    const splitter = new LineSplitter()
    const bytes = Buffer.from('első\nmáso')
    expect(splitter.push(bytes.subarray(0, 4))).toEqual([])
    expect(splitter.push(bytes.subarray(4))).toEqual(['első'])
    expect(splitter.push(Buffer.from('dik\r\n'))).toEqual(['második'])
    expect(splitter.flush()).toEqual([])
  })

  it('cuts a line that never ends, so that memory is bounded', () => {
    const splitter = new LineSplitter(8)
    expect(splitter.push(Buffer.from('abcdefghijklmnopqr'))).toEqual(['abcdefgh', 'ijklmnop'])
    expect(splitter.flush()).toEqual(['qr'])
  })

  it('keeps empty lines and takes out what would break a record', () => {
    const splitter = new LineSplitter()
    expect(splitter.push(Buffer.from('\n\ta\0b\n'))).toEqual(['', '    ab'])
  })
})
