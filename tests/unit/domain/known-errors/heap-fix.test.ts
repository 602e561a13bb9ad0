import { describe, expect, it } from 'vitest'
import { heapPlan } from '../../../../src/domain/known-errors/heap-fix.ts'
import type { HeapVariable } from '../../../../src/domain/known-errors/heap-fix.ts'

const FULL = 'java.lang.OutOfMemoryError: Java heap space'
const NATIVE = '# There is insufficient memory for the Java Runtime Environment to continue.'
const NODE = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'

const variable = (value: string | null, more: Partial<HeapVariable> = {}): HeapVariable => ({
  environmentVariable: 'HEAP',
  name: 'Heap',
  rules: 'string|max:80',
  editable: true,
  secret: false,
  value,
  ...more,
})
/** A server with 1,000 MiB: 800 fit. */
const toOf = (line: string, argument: string, set: HeapVariable) =>
  heapPlan({ command: ['java', argument, '-jar'], memoryMiB: 1_000, variables: [set] }, line)?.to

describe('the variable of the heap', () => {
  it.each([
    ['-Xmx{{HEAP}}M', '2048', '800'],
    ['-Xmx{{HEAP}}', '2G', '800M'],
    ['-Xmx{{ env:HEAP }}K', '2097152', '819200'],
    ['-XX:MaxRAMPercentage={{HEAP}}', '95.0', '80'],
    ['{{HEAP}}', '-Xms2G -XX:+UseG1GC -Xmx2G', '-Xms800M -XX:+UseG1GC -Xmx800M'],
    ['{{HEAP}}', '-Xms128M -Xmx1G -Xmx4096m', '-Xms128M -Xmx1G -Xmx800M'],
  ])('%s with %s shrinks to %s', (argument, value, to) => {
    expect(toOf(NATIVE, argument, variable(value))).toBe(to)
  })

  it.each([
    [FULL, '-Xmx{{HEAP}}M', '512', '800'],
    [NODE, '--max-old-space-size={{HEAP}}', '256', '800'],
    [FULL, '{{HEAP}}', '-Xms128M -Xmx256M', '-Xms128M -Xmx800M'],
  ])('%s: %s with %s grows to %s', (line, argument, value, to) => {
    expect(toOf(line, argument, variable(value))).toBe(to)
  })

  it('stays where another size would not help', () => {
    expect(toOf(FULL, '-Xmx{{HEAP}}M', variable('2048'))).toBeUndefined()
    expect(toOf(FULL, '-Xmx{{HEAP}}M', variable('800'))).toBeUndefined()
    expect(toOf(NATIVE, '-Xmx{{HEAP}}M', variable('512'))).toBeUndefined()
  })

  it('is none that the reader cannot change, that its rules refuse, or that sets something else', () => {
    expect(toOf(NATIVE, '-Xmx{{HEAP}}M', variable('2048', { editable: false }))).toBeUndefined()
    expect(toOf(NATIVE, '-Xmx{{HEAP}}M', variable(null, { secret: true }))).toBeUndefined()
    expect(toOf(NATIVE, '-Xmx{{HEAP}}M', variable('2048', { rules: 'in:1024,2048' }))).toBeUndefined()
    expect(toOf(NATIVE, '-Xmx{{HEAP}}G', variable('2'))).toBeUndefined()
    expect(toOf(NATIVE, '-Xmx{{memoryMiB}}M', variable('2048'))).toBeUndefined()
    expect(toOf(NATIVE, '-Xss{{HEAP}}M', variable('2048'))).toBeUndefined()
    expect(toOf(NATIVE, '{{HEAP}}', variable('x-Xmx2G'))).toBeUndefined()
  })
})
