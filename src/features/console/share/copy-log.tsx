'use client'
import { useState } from 'react'
import { Button } from '@/ui/controls/button.tsx'
import { copyText } from '@/ui/screen/clipboard.ts'
import { Icon } from '@/ui/signs/icon.tsx'
import { plainText } from '../log/ansi.ts'

type Told = 'copy' | 'copied' | 'copyFailed'
type CopyLogProps = { readonly text: string; readonly words: Readonly<Record<Told, string>> }

/** Copies a shared log as plain text, and says in its own place whether that worked. A public page has no catalog, so the words are given. */
export const CopyLog = ({ text, words }: CopyLogProps) => {
  const [told, setTold] = useState<Told>('copy')
  const copy = async () => {
    const lines = text.split('\n').map(plainText)
    setTold((await copyText(lines.join('\n'))) ? 'copied' : 'copyFailed')
  }
  return (
    <Button onClick={() => void copy()}>
      <Icon name="copy" />
      <span role="status">{words[told]}</span>
    </Button>
  )
}
