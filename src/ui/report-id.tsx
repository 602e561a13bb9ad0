'use client'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

const confirmForMs = 2_000

export type ReportIdWords = { readonly reportId: string; readonly copy: string; readonly copied: string }

/** The id of a report, to be copied and sent to support. Its words come from outside: error pages have no catalog. */
export const ReportId = ({ id, words }: { id: string; words: ReportIdWords }) => {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = window.setTimeout(() => setCopied(false), confirmForMs)
    return () => window.clearTimeout(timer)
  }, [copied])
  const copy = () => {
    // Without https there is no clipboard: the id is selectable as it stands.
    void navigator.clipboard?.writeText(id).then(
      () => setCopied(true),
      () => undefined,
    )
  }
  return (
    <p className="report-id t2">
      {words.reportId} <code className="mono select-all">{id}</code>
      <IconButton
        small
        label={`${words.copy}: ${id}`}
        icon={<Icon name={copied ? 'check' : 'copy'} />}
        onClick={copy}
      />
      <span className="vh" role="status">
        {copied ? words.copied : ''}
      </span>
    </p>
  )
}
