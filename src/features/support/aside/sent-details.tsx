'use client'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import type { ServerContext } from '#contracts/http/desk/server-context.ts'
import { maskedParts } from '#domain/tickets/masked-parts.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { FactRows, type Fact } from './fact-rows.tsx'
import { LogTitle, ServerFacts } from '../server-facts.tsx'

type SentProps = { context: ServerContext }

/** All of it again, as staff read it. */
const SentDialog = ({ context, isOpen, onClose }: SentProps & { isOpen: boolean; onClose: () => void }) => {
  const t = useTranslations('tickets.aside')
  const tc = useTranslations('common')
  const titleId = useId()
  const { log, missing } = context
  return (
    <Dialog open={isOpen} onClose={onClose} title={t('sent')} closeLabel={tc('close')} className="tk-sent">
      <div className="tk-sent__body">
        <p className="small t2">{t('asThen')}</p>
        <ServerFacts context={context} />
        {missing === null || missing === undefined ? null : <p className="small t2">{t(`missing.${missing}`)}</p>}
        {log === null || log.lines.length === 0 ? null : (
          <>
            <p id={titleId} className="small t2">
              <LogTitle log={log} />
            </p>
            <pre className="tk-sent__log mono" role="region" aria-labelledby={titleId} tabIndex={0}>
              {log.lines.join('\n')}
            </pre>
          </>
        )}
      </div>
    </Dialog>
  )
}

/**
 * The facts that the opener sent along about a server: how much of it there is, how much was hidden, and the way to
 * read it again.
 */
export const SentDetails = ({ context }: SentProps) => {
  const t = useTranslations('tickets.aside')
  const [isOpen, setOpen] = useState(false)
  const { log, errors } = context
  const lines = log?.lines ?? []
  const facts: Fact[] = [[t('log'), t('lines', { count: lines.length })]]
  if (lines.length > 0) facts.push([t('hidden'), t('parts', { count: maskedParts(lines) })])
  if (log?.removed !== undefined) facts.push([t('leftOut'), t('lines', { count: log.removed })])
  facts.push([t('errors'), String(errors.length)])
  return (
    <Panel
      title={t('sent')}
      end={
        <Button size="s" onClick={() => setOpen(true)}>
          {t('show')}
        </Button>
      }
    >
      <FactRows rows={facts} />
      <SentDialog context={context} isOpen={isOpen} onClose={() => setOpen(false)} />
    </Panel>
  )
}
