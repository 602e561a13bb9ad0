'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/ui/controls/button.tsx'
import { copyText } from '@/ui/screen/clipboard.ts'
import { Icon } from '@/ui/signs/icon.tsx'
import { plainText } from '../log/ansi.ts'

/** Copies a shared log as plain text, and says in its own place whether that worked. */
export const CopyLog = ({ text }: { text: string }) => {
  const t = useTranslations('common')
  const [told, setTold] = useState<'copy' | 'copied' | 'copyFailed'>('copy')
  const copy = async () => {
    const lines = text.split('\n').map(plainText)
    setTold((await copyText(lines.join('\n'))) ? 'copied' : 'copyFailed')
  }
  return (
    <Button onClick={() => void copy()}>
      <Icon name="copy" />
      <span role="status">{t(told)}</span>
    </Button>
  )
}
