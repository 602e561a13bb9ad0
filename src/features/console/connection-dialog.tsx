'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Button, buttonClass } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import type { PanelLinkState, PanelTrouble } from './panel-link.ts'

// The first attempts take only seconds: the page reports them in its own line before it opens a dialog.
const dialogFromAttempt = 3

/** Retrying would not change these. */
const hopeless: ReadonlySet<PanelTrouble> = new Set<PanelTrouble>(['invalid', 'forbidden', 'suspended'])

/** Why there is no console, once it is worth a dialog; undefined otherwise. */
export const dialogTrouble = (link: PanelLinkState, isNodeAway = false): PanelTrouble | undefined => {
  // For an address that this page may not open, the page itself shows one sentence in place of the log.
  if (link.kind === 'refused') return link.trouble === 'insecure' ? undefined : link.trouble
  if (link.kind !== 'waiting' || link.attempt < dialogFromAttempt) return undefined
  // A socket that does not open has no reason; the site knows when the whole machine is away.
  if (isNodeAway && link.trouble === 'connection') return 'maintenance'
  return link.trouble
}

type DialogProps = { link: PanelLinkState; isNodeAway: boolean; onRetry: () => void }

/** The connection dialog: connection problem, machine under maintenance, invalid server id. */
export const ConnectionDialog = ({ link, isNodeAway, onRetry }: DialogProps) => {
  const t = useTranslations('console.trouble')
  const tc = useTranslations('common')
  const [dismissed, setDismissed] = useState<PanelTrouble | undefined>(undefined)
  const trouble = dialogTrouble(link, isNodeAway)
  useEffect(() => {
    if (link.kind === 'live') setDismissed(undefined)
  }, [link.kind])
  if (!trouble) return null
  const canRetry = !hopeless.has(trouble)
  return (
    <Dialog
      open={dismissed !== trouble}
      onClose={() => setDismissed(trouble)}
      title={t(`${trouble}.title`)}
      closeLabel={tc('close')}
      actions={
        <>
          <PageLink className={buttonClass({})} href="/dashboard/servers">
            {t('toServers')}
          </PageLink>
          {canRetry ? (
            <Button
              look="primary"
              onClick={() => {
                setDismissed(trouble)
                onRetry()
              }}
            >
              {tc('retry')}
            </Button>
          ) : null}
        </>
      }
    >
      <p>{t(`${trouble}.text`)}</p>
    </Dialog>
  )
}

/**
 * The console's line about its link: connecting, live, lost; with the specification's sentence after the last attempt.
 */
export const LinkLine = ({ link }: { link: PanelLinkState }) => {
  const t = useTranslations('console')
  const tr = useTranslations('refusals')
  if (link.kind === 'failed') {
    return (
      <Notice
        tone="stop"
        role="alert"
        action={
          <Button size="s" onClick={() => window.location.reload()}>
            {t('refresh')}
          </Button>
        }
      >
        {tr('consoleReconnect')}
      </Notice>
    )
  }
  if (link.kind === 'live') return <Lamp kind="go">{t('link.live')}</Lamp>
  if (link.kind === 'waiting') return <Lamp kind="busy">{t('link.waiting', { attempt: link.attempt })}</Lamp>
  if (link.kind === 'refused') return <Lamp kind="away">{t('link.refused')}</Lamp>
  return <Lamp kind="busy">{t('link.connecting')}</Lamp>
}
