'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { copyText } from '../screen/clipboard.ts'
import { Icon } from '../signs/icon.tsx'
import { useToast } from './toast.tsx'

const confirmForMs = 2_000

/** A full address or id; pressing it copies it and confirms in place. It needs the ToastProvider above it. */
export const CopyText = ({ text, label, quiet = false }: { text: string; label: string; quiet?: boolean }) => {
  const t = useTranslations('common')
  const toast = useToast()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = window.setTimeout(() => setCopied(false), confirmForMs)
    return () => window.clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    const isCopied = await copyText(text)
    setCopied(isCopied)
    if (isCopied) return
    // The text of a button cannot be selected in every browser, so the message repeats it.
    const words = (
      <>
        {t('copyFailed')} <code className="mono select-all">{text}</code>
      </>
    )
    toast({ lamp: 'crash', text: words, durationMs: 0 })
  }
  // An address that needs two lines breaks before its port.
  const [host, port] = text.split(/(?=:\d+$)/)
  return (
    <button
      type="button"
      className={quiet ? 'addr addr-quiet' : 'addr'}
      aria-label={`${label}: ${text}`}
      onClick={() => void copy()}
    >
      <span className="addr__text">
        {host}
        {port === undefined ? null : (
          <>
            <wbr />
            {port}
          </>
        )}
      </span>
      <Icon name={copied ? 'check' : 'copy'} />
      <span className="vh" role="status">
        {copied ? t('copied') : ''}
      </span>
    </button>
  )
}
