'use client'
import { useEffect, useState } from 'react'
import { IconButton } from '../controls/button.tsx'
import { copyText } from '../screen/clipboard.ts'
import { Icon } from '../signs/icon.tsx'

const confirmForMs = 2_000

export type ReportIdWords = {
  readonly reportId: string
  readonly copy: string
  readonly copied: string
  readonly copyFailed: string
}

/** The id of a report, to copy and send to support. Its words are passed in, because error pages have no catalog. */
export const ReportId = ({ id, words }: { id: string; words: ReportIdWords }) => {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null)
  const copied = outcome === 'copied'
  useEffect(() => {
    if (!copied) return undefined
    const timer = window.setTimeout(() => setOutcome(null), confirmForMs)
    return () => window.clearTimeout(timer)
  }, [copied])
  const copy = () => void copyText(id).then((isCopied) => setOutcome(isCopied ? 'copied' : 'refused'))
  return (
    <p className="report-id t2">
      {words.reportId} <code className="mono select-all">{id}</code>
      <IconButton
        small
        label={`${words.copy}: ${id}`}
        icon={<Icon name={copied ? 'check' : 'copy'} />}
        onClick={copy}
      />
      <span className={copied ? 'vh' : 'small'} role="status">
        {copied ? words.copied : null}
        {outcome === 'refused' ? words.copyFailed : null}
      </span>
    </p>
  )
}
