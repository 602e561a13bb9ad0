'use client'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { FixDone } from '@/lib/servers/fix-done.tsx'
import { Button } from '@/ui/controls/button.tsx'
import type { StartupFix } from './use-startup-fix.ts'

type ValueOfferedProps = { preview: string; from: string; value: string; isBusy: boolean; onApply: () => void }

/** A start-up variable's value before and after a fix, with the button that sets it. */
export const ValueOffered = ({ preview, from, value, isBusy, onApply }: ValueOfferedProps) => {
  const t = useTranslations('console.known.setting')
  return (
    <>
      <span className="small t2">{preview}</span>
      <code className="known-edits">
        {from} → {value}
      </code>
      <Button size="s" look="primary" busy={isBusy} onClick={onApply}>
        {t('set', { value })}
      </Button>
    </>
  )
}

type ValueSetProps = { server: Server; fix: StartupFix; isBusy: boolean; onUndo: () => void }

/** After the value was set: the start, and the way back. */
export const ValueSet = ({ server, fix: { name, shown }, isBusy, onUndo }: ValueSetProps) => {
  const t = useTranslations('console.known.setting')
  return <FixDone server={server} text={t('done', { name, value: shown })} isBusy={isBusy} onUndo={onUndo} />
}
