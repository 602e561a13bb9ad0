'use client'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, RefObject } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { CommandLine } from './commands/command-line.tsx'
import type { CommandBlock } from './commands/command-line.tsx'
import { ErrorSummary } from './log/error-summary.tsx'
import { filterEntries } from './log/levels.ts'
import type { Filter } from './log/levels.ts'
import { LogActions } from './log/log-actions.tsx'
import type { LogClock } from './log/log-clock.ts'
import { LogSearchBox } from './log/log-search-box.tsx'
import { LogTools } from './log/log-tools.tsx'
import { LogView } from './log-view.tsx'
import type { LogAim } from './log-view.tsx'
import { usePanelNews } from './panel-console.tsx'
import type { PanelLinkState } from './panel-link.ts'
import { PickedBar } from './share/picked-bar.tsx'
import { ShareButton } from './share/share-button.tsx'
import type { LiveConsole } from './use-console.ts'
import { useLogSearch } from './log/use-log-search.ts'
import type { SharedMoment } from './use-moment.ts'
import { useOlder } from './use-older.ts'
import { useTypingArea } from './use-typing-area.ts'

// Few visits come after an absence with news.
const SinceCard = dynamic(() => import('./since/since-card.tsx').then((file) => file.SinceCard), { ssr: false })

const isWriting = (target: EventTarget) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement

/** Why no command can be sent: the texts are in `console.blocked`. */
export const commandBlock = (
  server: Pick<Server, 'permissions'>,
  word: ServerWord,
  isLive: boolean,
): { reason: 'forbidden' | 'notRunning' | 'notLive'; locked: boolean } | null => {
  if (!server.permissions.includes('console.command')) return { reason: 'forbidden', locked: true }
  if (!isLive) return { reason: 'notLive', locked: false }
  return word === 'running' || word === 'starting' ? null : { reason: 'notRunning', locked: true }
}

const useEmpty = ({ state }: LiveConsole, isFiltered: boolean) => {
  const t = useTranslations('console')
  if (state.askedBefore > 0) return t('older.loading')
  if (isFiltered) return t('noMatch')
  if (state.link.kind === 'failed' || state.link.kind === 'refused') return t('link.refused')
  return t(state.link.kind === 'live' ? 'empty' : 'waiting')
}

const useBlock = (server: Server, word: ServerWord, { kind }: PanelLinkState): CommandBlock | null => {
  const t = useTranslations('console.blocked')
  const tk = useTranslations('collaborators.keys')
  const block = commandBlock(server, word, kind === 'live')
  // The first link takes a moment: a reason below the input would come and go, and move the log.
  if (block === null || (block.reason === 'notLive' && kind === 'connecting')) return null
  return { reason: t(block.reason, { permission: tk('console.command') }), locked: block.locked }
}

/**
 * The news of an absence, over the upper edge of the log. Its place has no height. A reader who closes it is then at
 * the log.
 */
const Since = ({ server, log }: { server: Server; log: RefObject<HTMLDivElement | null> }) => {
  const { news, dismiss } = usePanelNews()
  if (news === null) return null
  const close = () => {
    dismiss()
    log.current?.focus({ preventScroll: true })
  }
  return (
    <div className="since-place">
      <SinceCard
        serverId={server.id}
        news={news}
        maySeeLog={server.permissions.includes(PERMISSION_OF_CALL['GET /api/server/{id}/activities'])}
        onClose={close}
      />
    </div>
  )
}

type LogBoxProps = {
  server: Server
  live: LiveConsole
  word: ServerWord
  clock: LogClock
  shared: SharedMoment
  aim: LogAim
}

/** The log with its chips, its search and the command line. `/` focuses the search while the focus is in here. */
export const LogBox = ({ server, live, word, clock, shared, aim }: LogBoxProps) => {
  const t = useTranslations('console')
  const { state, connection } = live
  const [filter, setFilter] = useState<Filter>('all')
  // A filter may hide the line that is pointed at.
  useEffect(() => {
    if (aim.times > 0) setFilter('all')
  }, [aim])
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const section = useRef<HTMLElement>(null)
  const typing = useTypingArea(section)
  const { entries } = state.log
  const shown = useMemo(() => filterEntries(entries, filter), [entries, filter])
  const search = useLogSearch(shown)
  const [finding, setFinding] = useState(false)
  const { older, ask, toEnd } = useOlder({
    state,
    send: (message) => connection?.link.send(message) ?? false,
    asked: (before) => connection?.store.asked(before),
    toEnd: () => connection?.store.toEnd(),
  })
  const hold = useCallback((isHeld: boolean) => connection?.store.hold(isHeld), [connection])
  const empty = useEmpty(live, filter !== 'all')
  const block = useBlock(server, word, state.link)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
    event.preventDefault()
    input.current?.select()
  }
  return (
    <section
      ref={section}
      className={typing ? 'con con-typing' : 'con'}
      style={typing ? ({ '--top': `${typing.top}px`, '--height': `${typing.height}px` } as CSSProperties) : undefined}
      aria-label={t('title')}
      onKeyDown={onKeyDown}
    >
      <LogTools entries={entries} filter={filter} onFilter={setFilter} finding={finding} onFind={setFinding}>
        <LogSearchBox search={search} input={input} onLeave={() => box.current?.focus()} />
        <LogActions box={box} entries={shown} clock={clock} serverName={server.name}>
          <ShareButton box={box} entries={shown} clock={clock} serverId={server.id} />
        </LogActions>
      </LogTools>
      <Since server={server} log={box} />
      <LogView
        box={box}
        entries={shown}
        clock={clock}
        matcher={search.matcher}
        current={search.current}
        jump={search.jump}
        aim={aim}
        empty={empty}
        older={older}
        onOlder={ask}
        lastSeq={state.log.lastSeq}
        behind={state.log.behind}
        onToEnd={toEnd}
        onHold={hold}
        shared={shared}
      />
      <PickedBar box={box} entries={shown} clock={clock} server={server} />
      <ErrorSummary entries={entries} />
      <CommandLine serverId={server.id} block={block} sender={connection?.sender ?? null} />
    </section>
  )
}
