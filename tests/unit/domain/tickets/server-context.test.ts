import { expect, test } from 'vitest'
import { CONTEXT_BOUNDS, contextLines, contextName, keptLines } from '../../../../src/domain/tickets/server-context.ts'

const ESC = String.fromCharCode(27)
const KEY = ['ghp', 'a'.repeat(36)].join('_')

test('the last lines go along, without colours, empty lines and secrets', () => {
  const lines = Array.from({ length: CONTEXT_BOUNDS.lines + 5 }, (_, at) => `line ${at}`)
  expect(contextLines(lines)).toEqual(lines.slice(5))
  expect(contextLines([`${ESC}[31mred${ESC}[0m`, '', '  ', `key ${KEY}`, 'at 203.0.113.9'])).toEqual([
    'red',
    'key [token]',
    'at [ip]',
  ])
  expect(contextLines([])).toEqual([])
})

test('a line is cut after it was redacted, so that no half of a secret stays', () => {
  const [line] = contextLines([`${'x'.repeat(CONTEXT_BOUNDS.line - 8)} ${KEY}`])
  expect(line).toHaveLength(CONTEXT_BOUNDS.line)
  expect(line).not.toContain('ghp_')
})

test('the half of a secret at which the node has cut a line does not come into sight by what is taken out before it', () => {
  const cutAt = 2_000
  const half = ' for anna@exam'
  const line = `key ${'f'.repeat(cutAt - 4 - half.length)}${half}`
  expect(line).toHaveLength(cutAt)
  expect(contextLines([line, 'next'], cutAt)).toEqual(['key [token] for …', 'next'])
  // A shorter line is whole.
  expect(contextLines([line.replace('ff', 'f')], cutAt)).toEqual([`key [token]${half}`])
})

test('a name stays in one line and names no address', () => {
  expect(contextName('play\n203.0.113.9')).toBe('play [ip]')
})

test('lines that are taken out by their places leave the others in their order', () => {
  expect(keptLines(['a', 'b', 'c'], [1, 1, 7])).toEqual(['a', 'c'])
  expect(keptLines(['a', 'b'], [0, 1])).toEqual([])
})
