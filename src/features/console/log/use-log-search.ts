'use client'
import { useDeferredValue, useMemo, useState } from 'react'
import type { LogEntry } from './log-buffer.ts'
import { compileSearch, createMatcher, findLines, hitsOfTyped, stepHit } from './log-search.ts'
import type { Matcher } from './log-search.ts'

export type LogSearch = {
  text: string
  isRegex: boolean
  /** The text is not a valid regular expression. */
  invalid: boolean
  /** The time ran out before the whole log was read. */
  partial: boolean
  count: number
  /** The position of the current hit from 1, 0 without one. */
  place: number
  matcher: Matcher | null
  current: number
  /** Rises with every step, so that the log scrolls again. */
  jump: number
  setText: (text: string) => void
  setRegex: (isRegex: boolean) => void
  step: (by: 1 | -1) => void
}

/** A search in the log: the lines with hits, and the current one. */
export const useLogSearch = (entries: readonly LogEntry[]): LogSearch => {
  const [text, setText] = useState('')
  const [isRegex, setRegex] = useState(false)
  const [current, setCurrent] = useState(0)
  const [jump, setJump] = useState(0)
  // Typing stays responsive however long the log is: the hits follow when there is time.
  const wanted = useDeferredValue(text)
  const compiled = useMemo(() => compileSearch({ text: wanted, isRegex }), [wanted, isRegex])
  const matcher = useMemo(() => (compiled.pattern ? createMatcher(compiled.pattern) : null), [compiled])
  const found = useMemo(
    () => (matcher ? findLines(entries, matcher, () => performance.now()) : { seqs: [], complete: true }),
    [entries, matcher],
  )
  const look = (typed: Matcher) => findLines(entries, typed, () => performance.now()).seqs
  const hits = () => hitsOfTyped({ text, isRegex }, { text: wanted, isRegex, seqs: found.seqs }, look)
  return {
    text,
    isRegex,
    invalid: compiled.invalid,
    partial: !found.complete,
    count: found.seqs.length,
    place: found.seqs.indexOf(current) + 1,
    matcher,
    current,
    jump,
    setText: (next) => {
      setText(next)
      setCurrent(0)
    },
    setRegex,
    step: (by) => {
      setCurrent(stepHit(hits(), current, by))
      setJump((before) => before + 1)
    },
  }
}
