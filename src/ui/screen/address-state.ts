'use client'
import { useSearchParams } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'

const write = (name: string, value: string): void => {
  const address = new URL(window.location.href)
  if (value === '') address.searchParams.delete(name)
  else address.searchParams.set(name, value)
  try {
    window.history.replaceState(null, '', address)
  } catch {
    // Some browsers limit address changes and throw beyond that: the page works without.
  }
}

/**
 * A text stored in the address, so that a reload, a link and the back button restore it. Empty ones are omitted. The
 * router reports each change with a delay: one that was typed here must not replace newer typing, any other does.
 */
export const useAddressText = (name: string): readonly [string, (next: string) => void] => {
  const asked = useSearchParams().get(name) ?? ''
  const [text, setText] = useState(asked)
  const written = useRef<string[]>([])
  useEffect(() => {
    const at = written.current.indexOf(asked)
    written.current = written.current.slice(at + 1)
    if (at === -1) setText(asked)
  }, [asked])
  return [
    text,
    (next) => {
      setText(next)
      written.current.push(next)
      write(name, next)
    },
  ]
}

/** One of `choices`, stored in the address; the first one is the default. */
export const useAddressChoice = <Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): readonly [Choice, (next: Choice) => void] => {
  const [text, setText] = useAddressText(name)
  const chosen = choices.find((choice) => choice === text) ?? choices[0]
  return [chosen, (next) => setText(next === choices[0] ? '' : next)]
}
