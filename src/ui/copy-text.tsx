'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

const confirmForMs = 2_000

const copy = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Without https there is no clipboard: the text is selectable as it stands.
    return false
  }
}

/** An address or an id in full; pressing it copies it and says so in place. */
export const CopyText = ({ text, label, quiet = false }: { text: string; label: string; quiet?: boolean }) => {
  const t = useTranslations('common')
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = window.setTimeout(() => setCopied(false), confirmForMs)
    return () => window.clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      className={quiet ? 'addr addr-quiet' : 'addr'}
      aria-label={`${label}: ${text}`}
      onClick={() => void copy(text).then(setCopied)}
    >
      <span className="addr__text">{text}</span>
      <Icon name={copied ? 'check' : 'copy'} />
      <span className="vh" role="status">
        {copied ? t('copied') : ''}
      </span>
    </button>
  )
}
