'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { StaffKnownError } from '#contracts/http/panel/known-errors.ts'
import type { Server } from '#contracts/http/server.ts'
import { pluginFileOf } from '#domain/known-errors/fixes.ts'
import type { KnownErrorHit } from '#domain/known-errors/match.ts'
import { KNOWN_ERRORS } from '#domain/known-errors/rules.ts'
import type { KnownErrorFix } from '#domain/known-errors/rules.ts'
import { staffRuleOf } from '#domain/known-errors/staff-rules.ts'
import type { StaffRule } from '#domain/known-errors/staff-rules.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { StartAgain } from '@/lib/servers/fix-done.tsx'
import { IconButton } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import type { ConsoleState } from '../console-store.ts'
import { nextCards, noCards, shownCards, shownStaffCards, withoutCard } from './cards.ts'
import { staffRulesQuery } from './staff-rules-query.ts'
import { ToPage, ToPages } from './to-page.tsx'

/** The fixes that a card offers for its problem; other parts of the page have them. */
export type KnownFixes = {
  readonly acceptEula: (server: Server) => ReactNode
  /** `otherwise` stands where the server's template has no image with that Java. */
  readonly chooseJava: (server: Server, line: string, otherwise: ReactNode) => ReactNode
  readonly disablePlugin: (server: Server, path: string) => ReactNode
  /** `otherwise` is the way to the page of the settings, which stands below. */
  readonly fixPorts: (hit: HitOfServer, otherwise: ReactNode) => ReactNode
  readonly restoreWorld: (hit: HitOfServer, otherwise: ReactNode) => ReactNode
  readonly fitHeap: (hit: HitOfServer, otherwise: ReactNode) => ReactNode
  readonly freeStorage: (server: Server, otherwise: ReactNode) => ReactNode
}
/** The error of a server, with the lines above it and the state that the page shows. */
export type HitOfServer = {
  readonly server: Server
  readonly word: ServerWord
  readonly line: string
  readonly above: readonly string[]
}

type Said = { title: string; text: string; line: string; seq: number }
type CardProps = { said: Said; onShow: (seq: number) => void; onClose: () => void; children: ReactNode }

const Card = ({ said, onShow, onClose, children }: CardProps) => {
  const t = useTranslations('console.known')
  const { title, text, line, seq } = said
  return (
    <li>
      <Notice
        tone="stop"
        role="status"
        className="known"
        action={<IconButton small label={t('close', { title })} icon={<Icon name="close" />} onClick={onClose} />}
      >
        <b className="b">{title}</b>
        <span className="known-text">{text}</span>
        <button type="button" className="known-line" onClick={() => onShow(seq)}>
          <span className="vh">{t('show')}: </span>
          <code>{line}</code>
        </button>
        {children}
      </Notice>
    </li>
  )
}

type FixProps = { server: Server; word: ServerWord; hit: KnownErrorHit; fixes: KnownFixes }

/** The file that the lines name, offered to be disabled; without a name the folder is where to look. */
const PluginFix = ({ server, hit, fixes }: Omit<FixProps, 'word'>) => {
  const named = pluginFileOf(hit.line, hit.above ?? [])
  // A later line may name none; what was done with the earlier one can still be undone.
  const [path, setPath] = useState(named)
  if (named !== undefined && named !== path) setPath(named)
  return (
    <>
      {path === undefined ? null : fixes.disablePlugin(server, path)}
      <ToPage server={server} to="files" />
    </>
  )
}

const Fix = ({ server, word, hit, fixes }: FixProps) => {
  const t = useTranslations('console.known')
  const fix: KnownErrorFix = KNOWN_ERRORS.find(({ id }) => id === hit.id)?.fix ?? 'none'
  if (fix === 'none') return null
  if (fix === 'accept-eula') return fixes.acceptEula(server)
  if (fix === 'choose-java') return fixes.chooseJava(server, hit.line, <ToPage server={server} to="startup" />)
  if (fix === 'disable-plugin') return <PluginFix server={server} hit={hit} fixes={fixes} />
  const { line, above = [] } = hit
  const of = { server, word, line, above }
  if (fix === 'fix-ports') return fixes.fixPorts(of, <ToPage server={server} to="networks" />)
  if (fix === 'restore-world') return fixes.restoreWorld(of, <ToPage server={server} to="files" />)
  if (fix === 'start') return <StartAgain server={server} text={t('startOnly')} />
  if (fix === 'fit-heap') return fixes.fitHeap(of, <ToPage server={server} to="modification" />)
  if (fix === 'free-storage')
    return fixes.freeStorage(server, <ToPages server={server} to={['files', 'modification']} />)
  return <ToPage server={server} to={fix} />
}

const noStaffErrors: readonly StaffKnownError[] = []

/** Staff's rules as they are shown, and as lines are tried with them: the same objects while nothing of them changes. */
const useStaffRules = (serverId: string) => {
  const errors = useQuery(staffRulesQuery(serverId)).data?.rules ?? noStaffErrors
  const rules = useMemo(() => errors.map(staffRuleOf).filter((rule): rule is StaffRule => rule !== undefined), [errors])
  return { errors, rules }
}

type KnownErrorsProps = {
  server: Server
  state: ConsoleState
  word: ServerWord
  fixes: KnownFixes
  onShow: (seq: number) => void
}

/** Errors of the log that we or staff know, each with its line and the way to put it right. */
export const KnownErrors = ({ server, state, word, fixes, onShow }: KnownErrorsProps) => {
  const t = useTranslations('console.known')
  const [cards, setCards] = useState(noCards)
  const { errors, rules } = useStaffRules(server.id)
  const { log, wordSinceMs } = state
  useEffect(() => {
    const source = { log, word, isFirst: wordSinceMs === 0, nowMs: Date.now(), rules }
    setCards((before) => nextCards(before, source))
  }, [log, word, wordSinceMs, rules])
  const shown = shownCards(cards)
  const ofStaff = shownStaffCards(cards).flatMap((hit) => {
    const error = errors.find(({ id }) => id === hit.id)
    return error === undefined ? [] : [{ hit, error }]
  })
  if (shown.length + ofStaff.length === 0) return null
  const close = (id: string) => () => setCards((before) => withoutCard(before, id))
  return (
    <ul className="known-list" aria-label={t('list')}>
      {shown.map((hit) => (
        <Card
          key={hit.id}
          said={{ ...hit, title: t(`title.${hit.id}`), text: t(`text.${hit.id}`) }}
          onShow={onShow}
          onClose={close(hit.id)}
        >
          <Fix server={server} word={word} hit={hit} fixes={fixes} />
        </Card>
      ))}
      {ofStaff.map(({ hit, error: { title, explanation, actions } }) => (
        <Card key={hit.id} said={{ ...hit, title, text: explanation }} onShow={onShow} onClose={close(hit.id)}>
          {actions.length === 0 ? null : <ToPages server={server} to={actions} />}
        </Card>
      ))}
    </ul>
  )
}
