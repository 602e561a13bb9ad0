'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { ProgramEnd } from '#contracts/panel/messages.ts'
import type { Server } from '#contracts/http/server.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { useReader } from '@/lib/servers/use-reader.ts'
import { buttonClass, IconButton } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import type { ConsoleState } from './console-store.ts'
import { bytesParts } from './stats/stats-words.ts'
import { useNow } from './use-now.ts'

/** How it ended, as the key of its sentence. */
export const endKind = (end: ProgramEnd | null): 'memory' | 'code' | 'signal' | 'unknown' => {
  if (end?.oom) return 'memory'
  if (end?.signal) return 'signal'
  return end && end.code !== null ? 'code' : 'unknown'
}

/** The node's action after a crash, as the key of its sentence; null if unknown. */
export const afterEnd = (word: ServerWord, end: ProgramEnd | null): 'restarts' | 'staysDown' | null => {
  if (end?.restartInMs === undefined) return null
  if (end.restartInMs !== null) return 'restarts'
  // A failed start is not repeated: its requester knows about it.
  return word === 'crashed' ? 'staysDown' : null
}

/** The seconds until the node restarts it. The countdown is visual: assistive technology announces it once. */
const Restart = ({ atMs }: { atMs: number }) => {
  const t = useTranslations('console.ended')
  const seconds = Math.ceil((atMs - useNow()) / 1_000)
  return (
    <span role="timer" aria-live="off" className="tnum">
      {seconds > 0 ? t('restartsIn', { count: seconds }) : t('restarts')}{' '}
    </span>
  )
}

/** The owner of a server that ran out of memory finds more of it in the settings. */
const ToResources = ({ server }: { server: Server }) => {
  const t = useTranslations('console')
  const me = useReader()
  if (me?.id !== server.owner.id) return null
  return (
    <PageLink className={buttonClass({ size: 's' })} href={`/panel/${server.id}/settings#resources`}>
      {t('toPackages')}
    </PageLink>
  )
}

/** An unexpected end: what happened, and what the reader can do. */
const EndNote = ({ server, word, state }: { server: Server; word: ServerWord; state: ConsoleState }) => {
  const { end } = state
  const t = useTranslations('console.ended')
  const locale = useLocale()
  if (word !== 'crashed' && word !== 'error on startup') return null
  const limit = bytesParts(server.maximumMemoryMiB * 1_048_576, locale)
  const values = {
    code: String(end?.code ?? ''),
    signal: end?.signal ?? '',
    memory: `${limit.value}\u00A0${limit.unit}`,
  }
  const kind = endKind(end)
  const next = afterEnd(word, end)
  return (
    <Notice tone="stop" role="status" action={kind === 'memory' ? <ToResources server={server} /> : undefined}>
      <b className="b">{t(word === 'crashed' ? 'crashed' : 'startup')}</b>{' '}
      {/* Before the node has reported, the cause is unknown. */}
      {end === null && state.link.kind !== 'live' ? null : `${t(kind, values)} `}
      {next === 'restarts' ? <Restart atMs={state.restartAtMs} /> : null}
      {next === 'staysDown' ? `${t('staysDown')} ` : null}
      {t(kind === 'memory' ? 'memoryHint' : 'hint')}
    </Notice>
  )
}

const InstallNote = ({ state, word }: { state: ConsoleState; word: ServerWord }) => {
  const t = useTranslations('console')
  if (state.install === 'failed') return <Notice tone="stop">{t('installFailed')}</Notice>
  if (word === 'installing') return <Notice tone="wait">{t('installing')}</Notice>
  if (state.install === 'done' && word === 'offline') return <Notice tone="go">{t('installed')}</Notice>
  return null
}

/** Options for an expired server, by reader: sub-users can neither keep it nor download its archive. */
const ExpiryNote = ({ server }: { server: Server }) => {
  const t = useTranslations('console')
  const me = useReader()
  const isOwner = me?.id === server.owner.id
  const isAdmin = me?.role.some((role) => role.isAdmin === 1) === true
  const toSettings =
    isOwner || isAdmin ? (
      <PageLink className={buttonClass({ size: 's' })} href={`/panel/${server.id}/settings`}>
        {t('toSettings')}
      </PageLink>
    ) : undefined
  return (
    <Notice tone="wait" action={toSettings}>
      {t(isOwner ? 'expired' : 'expiredOfOther')}
    </Notice>
  )
}

type NotesProps = { server: Server; state: ConsoleState; word: ServerWord; onDismiss: () => void }

/** Important notes above the log: suspension, expiry, installation, an unexpected end, a message of the node. */
export const ConsoleNotes = ({ server, state, word, onDismiss }: NotesProps) => {
  const t = useTranslations('console')
  const tc = useTranslations('common')
  const { notice } = state
  const isExpired = Date.parse(server.expiry) < Date.now()
  return (
    <>
      {server.suspended ? (
        <Notice tone="stop">{t('suspended', { reason: server.suspendedReason ?? '–' })}</Notice>
      ) : null}
      {isExpired ? <ExpiryNote server={server} /> : null}
      <InstallNote state={state} word={word} />
      {state.install === 'failed' ? null : <EndNote server={server} word={word} state={state} />}
      {notice ? (
        <Notice
          tone={notice.tone}
          role="status"
          action={<IconButton small label={tc('close')} icon={<Icon name="close" />} onClick={onDismiss} />}
        >
          {notice.text}
        </Notice>
      ) : null}
    </>
  )
}
