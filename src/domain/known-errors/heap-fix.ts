import { valueFault } from '../startup/check-value.ts'
import { parseRules } from '../startup/rules.ts'

/** A program needs memory beside its heap; this part of the server's memory for the heap leaves room for it. */
export const HEAP_PART = 0.8

export type HeapVariable = {
  readonly environmentVariable: string
  readonly name: string
  readonly rules: string
  readonly editable: boolean
  readonly secret: boolean
  readonly value: string | null
}
export type HeapFacts = {
  /** The arguments of the start, with their placeholders. */
  readonly command: readonly string[]
  readonly memoryMiB: number
  readonly variables: readonly HeapVariable[]
}
/** A start-up variable that sets the heap, with its value now and the one that fits; sizes in MiB. */
export type HeapPlan = {
  readonly variable: string
  readonly name: string
  readonly from: string
  readonly to: string
  readonly nowMiB: number
}

/** The heap that a text sets, in MiB, and the text that sets another one. */
type Heap = { readonly nowMiB: number; readonly withMiB: (miB: number) => string }

const UNIT_MIB: Readonly<Record<string, number>> = { '': 1 / 1_048_576, k: 1 / 1_024, m: 1, g: 1_024, t: 1_048_576 }

/** A size with its unit, as in `-Xmx2G`; `unit` stands behind it in the argument, and may be none. */
const sizeHeap = (text: string, unit: string): Heap | undefined => {
  const [, digits, own = ''] = /^(\d{1,15})([kmgt]?)$/i.exec(text.trim()) ?? []
  if (digits === undefined || (own !== '' && unit !== '')) return undefined
  const miB = UNIT_MIB[(own || unit).toLowerCase()] ?? 1
  // Behind the value stands the template's unit; elsewhere it is written as MiB.
  const withMiB = (wanted: number) => (unit === '' ? `${wanted}M` : String(Math.floor(wanted / miB)))
  return { nowMiB: Number(digits) * miB, withMiB }
}

const partHeap = (text: string, memoryMiB: number): Heap | undefined => {
  const part = /^\d{1,3}(?:\.\d{1,3})?$/.test(text.trim()) ? Number(text) : Number.NaN
  if (!(part > 0)) return undefined
  return {
    nowMiB: (memoryMiB * part) / 100,
    withMiB: (wanted) => String(Math.floor((wanted / memoryMiB) * 100 + 0.5)),
  }
}

/** Each option that sets a heap, as a whole argument or among others in a value. The program obeys the last one. */
const OPTIONS = [
  { before: '-Xmx', number: String.raw`\d{1,15}[kmgt]?` },
  { before: '-XX:MaxHeapSize=', number: String.raw`\d{1,15}[kmgt]?` },
  { before: '-XX:MaxRAMPercentage=', number: String.raw`\d{1,3}(?:\.\d{1,3})?` },
  { before: '--max-old-space-size=', number: String.raw`\d{1,15}` },
] as const

/** Java's sizes are bytes without a unit, Node's are MiB. */
const heapIn = (before: string, { number, unit }: { number: string; unit: string }, memoryMiB: number) =>
  before.includes('Percentage') ? partHeap(number, memoryMiB) : sizeHeap(number, before.startsWith('--') ? 'm' : unit)

/** The heap among the options of a value, such as `-Xms1G -Xmx4G`. A smaller first size follows it. */
const heapOfFlags = (value: string, memoryMiB: number): Heap | undefined => {
  for (const { before, number } of OPTIONS) {
    const all = [...value.matchAll(new RegExp(String.raw`(?<=^|\s)${before}(${number})(?=\s|$)`, 'gi'))]
    const last = all.at(-1)
    const heap = last?.[1] === undefined ? undefined : heapIn(before, { number: last[1], unit: '' }, memoryMiB)
    if (last === undefined || heap === undefined) continue
    const withMiB = (miB: number): string => {
      const start = last.index + before.length
      const next = value.slice(0, start) + heap.withMiB(miB) + value.slice(start + (last[1] ?? '').length)
      return next.replaceAll(/(?<=^|\s)-Xms(\d{1,15}[kmgt]?)(?=\s|$)/gi, (whole, size: string) =>
        (sizeHeap(size, '')?.nowMiB ?? 0) > miB ? `-Xms${miB}M` : whole,
      )
    }
    return { nowMiB: heap.nowMiB, withMiB }
  }
  return undefined
}

/** The heap that a variable sets because an argument of the start is an option with its placeholder. */
const heapOfArgument = (argument: string, { environmentVariable: name, value }: HeapVariable, memoryMiB: number) => {
  const [, before = '', placeholder = '', unit = ''] = /^([^{}]+)\{\{([^{}]+)\}\}([kmgt]?)$/i.exec(argument) ?? []
  const option = OPTIONS.find((each) => each.before.toLowerCase() === before.toLowerCase())
  const isOwn = placeholder.trim().split(/[.:]/).at(-1) === name
  if (option === undefined || !isOwn || value === null) return undefined
  return heapIn(option.before, { number: value, unit }, memoryMiB)
}

const heapOf = ({ command, memoryMiB }: HeapFacts, variable: HeapVariable): Heap | undefined => {
  const { editable, secret, value } = variable
  if (!editable || secret || value === null) return undefined
  for (const argument of command) {
    const heap = heapOfArgument(argument, variable, memoryMiB)
    if (heap !== undefined) return heap
  }
  return heapOfFlags(value, memoryMiB)
}

const HEAP_FULL = /heap space|GC overhead limit|JavaScript heap|heap limit/i

/**
 * The start-up variable to change after a program ran out of memory. A full heap grows up to `HEAP_PART` of the memory; where
 * the memory beside the heap was missing, a larger heap shrinks to it. Undefined where no variable helps.
 */
export function heapPlan(facts: HeapFacts, line: string): HeapPlan | undefined {
  const safeMiB = Math.floor(facts.memoryMiB * HEAP_PART)
  const isFull = HEAP_FULL.test(line)
  for (const variable of facts.variables) {
    const heap = heapOf(facts, variable)
    if (heap === undefined || (isFull ? heap.nowMiB >= safeMiB : heap.nowMiB <= safeMiB)) continue
    const to = heap.withMiB(safeMiB)
    const { environmentVariable, name, rules, value } = variable
    if (to === '0' || to === value || valueFault(parseRules(rules).rules, to) !== undefined) continue
    return { variable: environmentVariable, name, from: value ?? '', to, nowMiB: Math.round(heap.nowMiB) }
  }
  return undefined
}
