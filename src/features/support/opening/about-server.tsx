'use client'
import { useTranslations } from 'next-intl'
import { Switch } from '@/ui/controls/choice.tsx'
import { Select } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { LookAgain } from './look-again.tsx'
import { ServerContextView } from './server-context.tsx'
import type { About } from './use-about-server.ts'

/** Which server a ticket is about, and precisely what goes along about it. Readers without a server of their own see nothing. */
export const AboutServer = ({ about, isChanged, isBusy }: { about: About; isChanged: boolean; isBusy: boolean }) => {
  const t = useTranslations('tickets.about')
  const { servers, serverId, choose, isLeftOut, setLeftOut, seen } = about
  const unread = (
    <Notice tone="wait" role="alert" action={<LookAgain about={about} isBusy={isBusy} />}>
      {t('failed')}
    </Notice>
  )
  if (servers.length === 0) return about.isUnknown ? unread : null
  return (
    <div className="tk-about">
      <Select
        label={t('server')}
        value={serverId}
        disabled={isBusy}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{t('none')}</option>
        {servers.map(({ id, name, identifier }) => (
          <option key={id} value={id}>
            {name} #{identifier}
          </option>
        ))}
      </Select>
      {serverId === '' ? null : (
        <section className="tk-about__card" aria-label={t('title')}>
          <Switch checked={!isLeftOut} disabled={isBusy} onChange={(event) => setLeftOut(!event.currentTarget.checked)}>
            {t('send')}
          </Switch>
          <p className="small t2">{t(isLeftOut ? 'leftOut' : 'redacted')}</p>
          {isChanged && !isLeftOut ? (
            <Notice tone="wait" role="alert">
              {t(about.without.size > 0 ? 'changedWithout' : 'changed')}
            </Notice>
          ) : null}
          {isLeftOut ? null : seen.isError ? (
            unread
          ) : (
            <div className="tk-about__content" aria-busy={seen.data === undefined}>
              {seen.data === undefined ? null : (
                <ServerContextView
                  // Other lines may stand where some were left out.
                  key={seen.data.mark}
                  context={seen.data.context}
                  about={about}
                  isBusy={isBusy}
                />
              )}
            </div>
          )}
        </section>
      )}
    </div>
  )
}
