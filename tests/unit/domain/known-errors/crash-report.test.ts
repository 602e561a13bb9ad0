import { expect, it } from 'vitest'
import { crashReport } from '../../../../src/domain/known-errors/crash-report.ts'

it('names the error of the newest line that names one', () => {
  const lines = ['No space left on device', 'java.lang.OutOfMemoryError: Java heap space', 'at x']
  expect(crashReport(lines, 300).error).toBe('out-of-memory')
  expect(crashReport(['Done (3.1s)!', '<Anna> No space left on device'], 300).error).toBeUndefined()
})

it('takes out addresses, e-mail addresses and tokens, and keeps each line', () => {
  const { lines } = crashReport(['a@b.example from 203.0.113.9', '', 'ghp_0123456789abcdef'], 300)
  expect(lines).toEqual(['[e-mail] from [ip]', '', '[token]'])
})

it('a line that its node has cut says nothing of the word at the cut, and its error is found all the same', () => {
  const line = `No space left on device, mail to anna@exam`
  expect(crashReport([line, 'next'], line.length)).toEqual({
    error: 'disk-full',
    lines: ['No space left on device, mail to …', 'next'],
  })
})
