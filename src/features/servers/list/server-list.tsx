'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PowerAction, Server } from '#contracts/http/server.ts'
import type { ServerPlayers } from '#contracts/panel/players.ts'
import type { ServerLayout } from '#contracts/http/server-layout.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import { meQuery } from '@/lib/queries/queries.ts'
import { listFilters, matchesFilter, type ListFilter, type ListSection } from '../list-view.ts'
import { AttentionStrip } from './attention-strip.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { steppedPlace, type DropPlace } from './drop-place.ts'
import { ListActionsContext, type ListActions } from './list-actions.ts'
import { GroupNameDialog, MoveDialog, PowerDialog, RemoveGroupDialog } from './list-dialogs.tsx'
import { ListHead } from './list-head.tsx'
import { ListRows } from './list-rows.tsx'
import { ListTools } from './list-tools.tsx'
import { playersQuery } from './players-query.ts'
import { useBulkPower } from './use-bulk-power.ts'
import type { useLayout } from './use-layout.ts'
import { useListChoice } from './use-list-choice.ts'
import { useListKeys } from './use-list-keys.ts'
import { useListMenu, type Question } from './use-list-menu.tsx'
import { useListOrder } from './use-list-order.ts'

type Change = ReturnType<typeof useLayout>['change']
type Sections = readonly ListSection<Server>[]

type DialogsProps = {
  readonly question: Question | null
  readonly layout: ServerLayout
  readonly change: Change
  readonly onPower: (action: PowerAction, servers: readonly Server[]) => void
  readonly onClose: () => void
}

const Dialogs = ({ question, layout, change, onPower, onClose }: DialogsProps) => {
  const asked = { change: change.ask, onClose }
  if (question === null) return null
  if (question.kind === 'move') return <MoveDialog {...asked} servers={question.servers} groups={layout.groups} />
  if (question.kind === 'name') return <GroupNameDialog {...asked} group={question.group} />
  if (question.kind === 'remove') return <RemoveGroupDialog {...asked} group={question.group} />
  const { action, servers } = question
  return <PowerDialog action={action} servers={servers} onAct={() => onPower(action, servers)} onClose={onClose} />
}

const countsOf = (servers: readonly Server[]): Readonly<Record<ListFilter, number>> => {
  const nowMs = Date.now()
  const shown = servers.map((server) => ({ word: shownWordOf(server, nowMs), expiry: server.expiry, nowMs }))
  const count = (filter: ListFilter) => shown.filter((each) => matchesFilter(each, filter)).length
  const [all, running, attention, stopped] = listFilters.map(count)
  return { all: all ?? 0, running: running ?? 0, attention: attention ?? 0, stopped: stopped ?? 0 }
}

const gamesOf = (servers: readonly Server[]): string[] =>
  [...new Set(servers.map(({ serviceName }) => serviceName))].toSorted()

/** Where a moved server stands now, for the ear. */
const useMovedText = (sections: Sections, movedId: string | null): string => {
  const t = useTranslations('servers.list')
  const section = sections.find(({ servers }) => servers.some(({ id }) => id === movedId))
  const at = section?.servers.findIndex(({ id }) => id === movedId) ?? -1
  const server = section?.servers[at]
  if (section === undefined || server === undefined) return ''
  const group = section.group?.name ?? t('loose')
  return t('moved', { name: server.name, at: at + 1, count: section.servers.length, group })
}

/** Moves of servers within the reader's own order: by a step, or to a place. */
const useMoves = (sections: Sections, change: Change) => {
  const [movedId, setMovedId] = useState<string | null>(null)
  const move = (id: string, { groupId, before }: Pick<DropPlace, 'groupId' | 'before'>) => {
    setMovedId(id)
    change.tell({ kind: 'move', servers: [id], groupId, before })
  }
  const step = ({ id }: Server, by: -1 | 1) => {
    const place = steppedPlace(sections, id, by)
    if (place !== undefined) move(id, place)
  }
  return { move, step, movedText: useMovedText(sections, movedId) }
}

/** The newest handlers behind an object that stays the same, so that rows are not rendered for them. */
const useStableActions = (handlers: ListActions): ListActions => {
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  return useMemo(
    () => ({
      toggle: (id) => latest.current.toggle(id),
      step: (server, by) => latest.current.step(server, by),
      openMenu: (server, opener) => latest.current.openMenu(server, opener),
      openGroupMenu: (group, opener) => latest.current.openGroupMenu(group, opener),
      fold: (group) => latest.current.fold(group),
    }),
    [],
  )
}

const useSelection = (servers: readonly Server[]) => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) =>
    setIds((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]))
  return {
    ids,
    toggle,
    set: (next: readonly string[]) => setIds(new Set(next)),
    without: (done: readonly string[]) => setIds((now) => new Set([...now].filter((id) => !done.includes(id)))),
    chosen: servers.filter(({ id }) => ids.has(id)),
  }
}

const NOBODY: ReadonlyMap<string, ServerPlayers> = new Map()
/** Counts that cannot be read any more are not shown: they would pass for the present. */
const usePlayers = (): ReadonlyMap<string, ServerPlayers> => {
  const { data, isError } = useQuery(playersQuery())
  return useMemo(
    () => (data === undefined || isError ? NOBODY : new Map(data.map((each) => [each.serverId, each]))),
    [data, isError],
  )
}

type ServerListProps = {
  readonly servers: readonly Server[]
  readonly layout: ServerLayout
  /** Without the stored layout nothing can be arranged: it would be arranged anew. */
  readonly hasLayout: boolean
  readonly change: Change
}

const useServerList = ({ servers, layout, hasLayout, change }: ServerListProps) => {
  const choice = useListChoice(servers)
  const order = useListOrder(servers, layout, choice)
  const [question, setQuestion] = useState<Question | null>(null)
  const readerId = useQuery(meQuery()).data?.id
  const players = usePlayers()
  const selection = useSelection(servers)
  const bulk = useBulkPower()
  const moves = useMoves(order.sections, change)
  const isArranging = hasLayout && choice.sort === 'own'
  const power = (action: PowerAction, asked: readonly Server[]) =>
    void bulk.run(action, asked).then((done) => asked.length > 1 && selection.without(done))
  const { groups } = layout
  const menu = useListMenu({ groups, readerId, isArranging, ask: setQuestion, step: moves.step, tell: change.tell })
  const actions = useStableActions({
    toggle: selection.toggle,
    step: moves.step,
    openMenu: menu.openMenu,
    openGroupMenu: menu.openGroupMenu,
    fold: (group) => change.tell({ kind: 'fold', groupId: group.id, folded: !group.folded }),
  })
  const parts = { choice, order, question, setQuestion, readerId, players }
  return { ...parts, selection, bulk, moves, isArranging, power, menu, actions }
}

type BarProps = Pick<ReturnType<typeof useServerList>, 'selection' | 'bulk' | 'power' | 'setQuestion'>

/** The bar of the selected servers. Actions that end a game are confirmed first. */
const SelectionBar = ({ selection, bulk, power, setQuestion }: BarProps) => {
  const { chosen } = selection
  if (chosen.length === 0) return null
  return (
    <BulkBar
      chosen={chosen}
      isRunning={bulk.isRunning}
      onPower={(action) =>
        action === 'start' ? power(action, chosen) : setQuestion({ kind: 'power', action, servers: chosen })
      }
      onGroup={() => setQuestion({ kind: 'move', servers: chosen.map(({ id }) => id) })}
      onClear={() => {
        selection.set([])
        bulk.forget()
      }}
    />
  )
}

/** The reader's servers: what needs attention, the tools, and the rows by groups. */
export const ServerList = (props: ServerListProps) => {
  const { servers, layout, change } = props
  const t = useTranslations('servers')
  const list = useServerList(props)
  const { choice, order, selection, moves, isArranging, setQuestion } = list
  const rows = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const start = (id: string) =>
    list.power(
      'start',
      servers.filter((server) => server.id === id),
    )
  useListKeys({ list: rows, onFilter: () => field.current?.focus(), onToggle: selection.toggle, onStart: start })
  return (
    <ListActionsContext value={list.actions}>
      <AttentionStrip servers={servers} readerId={list.readerId} />
      <ListTools choice={choice} field={field} counts={countsOf(servers)} games={gamesOf(servers)} />
      <ListHead
        sections={order.sections}
        selection={selection}
        onUpdate={order.isOutdated ? order.renew : null}
        dense={layout.dense}
        onDense={(dense) => change.tell({ kind: 'density', dense })}
        onNewGroup={() => setQuestion({ kind: 'name', group: null })}
      />
      {isArranging && servers.length > 1 ? <p className="small t2 only-phone">{t('list.holdText')}</p> : null}
      <ListRows
        list={rows}
        sections={order.sections}
        layout={layout}
        readerId={list.readerId}
        chosen={selection.ids}
        outcomes={list.bulk.outcomes}
        players={list.players}
        isArranging={isArranging}
        onDrop={moves.move}
      />
      <p className="vh" aria-live="polite">
        {moves.movedText}
      </p>
      <SelectionBar {...list} />
      {list.menu.menu}
      <Dialogs
        question={list.question}
        layout={layout}
        change={change}
        onPower={list.power}
        onClose={() => setQuestion(null)}
      />
    </ListActionsContext>
  )
}
