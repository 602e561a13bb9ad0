'use client'
import { useTranslations } from 'next-intl'
import type { ServerContext } from '#contracts/http/desk/server-context.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { LogTitle, ServerFacts } from '../server-facts.tsx'
import { LogLines } from './log-lines.tsx'
import { LookAgain } from './look-again.tsx'
import type { About } from './use-about-server.ts'

/** Everything that goes along with a ticket about a server, as staff will read it. */
export const ServerContextView = ({
  context,
  about,
  isBusy,
}: {
  context: ServerContext
  about: About
  isBusy: boolean
}) => {
  const t = useTranslations('tickets.about')
  const { log, missing } = context
  return (
    <>
      <ServerFacts context={context} />
      {missing === 'away' ? (
        <Notice tone="wait" role="status" action={<LookAgain about={about} isBusy={isBusy} />}>
          {t('away')}
        </Notice>
      ) : missing === 'suspended' ? (
        <p className="small t2">{t('suspended')}</p>
      ) : log === null ? (
        <p className="small t2">{t('noLog')}</p>
      ) : null}
      {log === null ? null : (
        <>
          <p className="small t2">
            <LogTitle log={log} />
          </p>
          <LogLines
            lines={log.lines}
            without={about.without}
            onToggle={about.toggleLine}
            onRestore={about.restoreLines}
            isBusy={isBusy}
          />
        </>
      )}
    </>
  )
}
