import { describe, expect, it } from 'vitest'

import { startupDetector, stripAnsi } from '../../../../agents/console/startup-detector.ts'

const ESCAPE = String.fromCharCode(27)
const plain = { stripAnsi: true }

describe('startup detector', () => {
  it('finds any of several substrings and regular expressions', () => {
    const isDone = startupDetector(['Server started', 'regex:^Done \\(\\d+'], plain)
    expect(isDone('[12:00] Server started.')).toBe(true)
    expect(isDone('Done (3.2s)!')).toBe(true)
    expect(isDone('not Done (3')).toBe(false)
  })

  it('compares an expression that does not compile as text', () => {
    expect(startupDetector(['regex:)! For help'], plain)('Done (3s)! For help')).toBe(true)
    expect(startupDetector(['regex:)! For help'], plain)('Done')).toBe(false)
  })

  it('takes colours out of a line only when told so', () => {
    const line = `${ESCAPE}[32mDo${ESCAPE}[0mne${ESCAPE}]0;title${String.fromCharCode(7)}`
    expect(stripAnsi(line)).toBe('Done')
    expect(startupDetector(['Done'], plain)(line)).toBe(true)
    expect(startupDetector(['Done'], { stripAnsi: false })(line)).toBe(false)
  })

  it('is satisfied by any line when the template has no done text', () => {
    expect(startupDetector([], plain)('hello')).toBe(true)
    expect(startupDetector([''], plain)('hello')).toBe(true)
  })
})
