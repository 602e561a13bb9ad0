'use client'
import { useSearchParams } from 'next/navigation'
import { useState } from 'react'

const write = (name: string, value: string): void => {
  const address = new URL(window.location.href)
  if (value === '') address.searchParams.delete(name)
  else address.searchParams.set(name, value)
  try {
    window.history.replaceState(null, '', address)
  } catch {
    // A browser that counts changes of the address lets no more through: the page works without.
  }
}

/** A text that the address keeps, so that a reload, a link and the way back find it again. Empty ones are left out. */
export const useAddressText = (name: string): readonly [string, (next: string) => void] => {
  const asked = useSearchParams().get(name) ?? ''
  const [text, setText] = useState(asked)
  return [
    text,
    (next) => {
      setText(next)
      write(name, next)
    },
  ]
}

/** One of `choices`, kept by the address; the first stands where the address says nothing, or nothing known. */
export const useAddressChoice = <Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): readonly [Choice, (next: Choice) => void] => {
  const [text, setText] = useAddressText(name)
  const chosen = choices.find((choice) => choice === text) ?? choices[0]
  return [chosen, (next) => setText(next === choices[0] ? '' : next)]
}
