'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { DISCORD_RESULTS } from '#contracts/http/privacy.ts'
import type { DiscordResult, DiscordState } from '#contracts/http/privacy.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { discordQuery, isDiscordShown } from '@/lib/queries/discord-query.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { takeFromAddress } from '../components/leave-auth.ts'
import { privacyCalls } from './use-privacy.ts'

const WORDS = { linked: 'discordDone', failed: 'discordFailed', taken: 'discordTaken' } as const

const isResult = (text: string | null): text is DiscordResult =>
  text !== null && (DISCORD_RESULTS as readonly string[]).includes(text)

/** The result of a link, shown once: it is in the address after Discord's redirect. */
const useResult = (): DiscordResult | null => {
  const [result, setResult] = useState<DiscordResult | null>(null)
  useEffect(() => {
    const found = takeFromAddress('discord')
    if (isResult(found)) setResult(found)
  }, [])
  return result
}

const useDiscord = () => {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const attempt = async (work: () => Promise<unknown>) => {
    setFailure(null)
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setFailure(error)
    }
    setBusy(false)
  }
  const link = () =>
    attempt(async () => {
      const { url } = await privacyCalls.linkDiscord(window.location.pathname)
      window.location.assign(url)
    })
  const unlink = () =>
    attempt(async () => {
      await privacyCalls.unlinkDiscord()
      await client.invalidateQueries({ queryKey: discordQuery().queryKey })
    })
  return { busy, failure, link, unlink }
}

const Linked = ({ link }: { link: NonNullable<DiscordState['link']> }): ReactNode => {
  const t = useTranslations('privacy')
  const locale = useLocale()
  const timeZone = useTimeZone()
  return (
    <p>
      {t.rich('discordLinkedAs', {
        name: () => <b className="cut">{link.name}</b>,
        date: formatDate(link.linkedAt, locale, { style: 'date', timeZone }),
      })}
    </p>
  )
}

const Body = ({ state }: { state: DiscordState }) => {
  const t = useTranslations('privacy')
  const failureText = useFailureText()
  const { busy, failure, link, unlink } = useDiscord()
  return (
    <div className="stack-24">
      <p className="t2">{t('discordText')}</p>
      {state.link === null ? null : <Linked link={state.link} />}
      {failure === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(failure)}
        </Notice>
      )}
      <div>
        {state.link === null ? (
          <Button busy={busy} onClick={() => void link()}>
            {t('discordLink')}
          </Button>
        ) : (
          <Button look="danger" busy={busy} onClick={() => void unlink()}>
            {t('discordUnlink')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The linked Discord account. */
export const DiscordPanel = () => {
  const t = useTranslations('privacy')
  const tc = useTranslations('common')
  const query = useQuery(discordQuery())
  const result = useResult()
  const { data } = query
  if (!isDiscordShown(data) && result === null) return null
  return (
    <Panel title={t('discord')}>
      {result === null ? null : (
        <Notice
          tone={result === 'linked' ? 'go' : 'stop'}
          role={result === 'linked' ? 'status' : 'alert'}
          className="mb-3"
        >
          {t(WORDS[result])}
        </Notice>
      )}
      <Region query={query} skeleton={<SkeletonRows rows={2} label={tc('loading')} />} failed={t('discordNotLoaded')}>
        {(state) => (isDiscordShown(state) ? <Body state={state} /> : null)}
      </Region>
    </Panel>
  )
}
