'use client'
import { useState } from 'react'
import { copyText } from '@/ui/screen/clipboard.ts'

type Told = 'copy' | 'copied' | 'copyFailed'
type CopyCodeProps = { readonly text: string; readonly words: Readonly<Record<Told, string>> }

/** Copies a piece of code, and says in its own place whether that worked. A public page has no catalog, so the words are given. */
export const CopyCode = ({ text, words }: CopyCodeProps) => {
  const [told, setTold] = useState<Told>('copy')
  const copy = async () => setTold((await copyText(text)) ? 'copied' : 'copyFailed')
  return (
    <button type="button" className="code__copy" onClick={() => void copy()}>
      <span role="status">{words[told]}</span>
    </button>
  )
}
