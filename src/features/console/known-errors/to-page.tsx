'use client'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import type { StaffRuleAction } from '#domain/known-errors/staff-rules.ts'
import { useReader } from '@/lib/servers/use-reader.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'

const NEEDS = { startup: 'startup.view', networks: 'allocation.view', files: 'file.list' } as const
const PLACES: Readonly<Record<StaffRuleAction, string>> = {
  startup: 'startup',
  networks: 'networks',
  files: 'files',
  settings: 'settings',
  modification: 'settings#resources',
}

/** The way to the page where it is put right, or what the reader lacks for it. */
export const ToPage = ({ server, to }: { server: Server; to: StaffRuleAction }) => {
  const t = useTranslations('console.known')
  const tp = useTranslations('collaborators.keys')
  const me = useReader()
  // Until the reader is known nothing is refused: an owner would read a refusal that is not theirs.
  const isOther = me !== undefined && me.id !== server.owner.id
  if (to === 'modification' && isOther) return <span className="small t2">{t('ownerOnly')}</span>
  if (to !== 'modification' && to !== 'settings' && !server.permissions.includes(NEEDS[to])) {
    return <span className="small t2">{t('needs', { permission: tp(NEEDS[to]) })}</span>
  }
  return (
    <PageLink className={buttonClass({ size: 's' })} href={`/panel/${server.id}/${PLACES[to]}`}>
      {t(`fix.${to}`)}
    </PageLink>
  )
}

/** Several ways, side by side. */
export const ToPages = ({ server, to }: { server: Server; to: readonly StaffRuleAction[] }) => (
  <div className="known-done">
    {to.map((each) => (
      <ToPage key={each} server={server} to={each} />
    ))}
  </div>
)
