'use client'
import { ArrowDown, ArrowUp, CalendarClock, FolderInput, Pencil, RotateCw, Trash2, Zap } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useCallback, useState } from 'react'
import type { PowerAction, Server } from '#contracts/http/server.ts'
import type { ServerLayoutChange } from '#contracts/http/server-layout.ts'
import type { ServerGroup } from '#domain/servers/list-layout.ts'
import { powerActionsFor } from '@/lib/servers/power-actions.ts'
import { ActionMenu, type MenuAction } from '@/ui/surfaces/action-menu.tsx'
import { renewPath } from '../server-paths.ts'

/** The questions that the list asks in a dialog. */
export type Question =
  | { readonly kind: 'move'; readonly servers: readonly string[] }
  | { readonly kind: 'name'; readonly group: ServerGroup | null }
  | { readonly kind: 'remove'; readonly group: ServerGroup }
  | { readonly kind: 'power'; readonly action: Exclude<PowerAction, 'start'>; readonly servers: readonly Server[] }

type MenuDeps = {
  readonly groups: readonly ServerGroup[]
  readonly readerId: string | undefined
  readonly isArranging: boolean
  readonly ask: (question: Question) => void
  readonly step: (server: Server, by: -1 | 1) => void
  readonly tell: (change: ServerLayoutChange) => void
}

type Opened = { readonly label: string; readonly opener: HTMLElement; readonly actions: readonly MenuAction[] }

const icon = (Drawing: typeof ArrowUp) => <Drawing className="i" aria-hidden />

/** The actions of a group, without those that would change nothing. */
const useGroupActions = ({ groups, ask, tell }: MenuDeps) => {
  const t = useTranslations('servers.list')
  return (group: ServerGroup): MenuAction[] => {
    const at = groups.findIndex(({ id }) => id === group.id)
    const moved = (before: string | null) => () => tell({ kind: 'moveGroup', groupId: group.id, before })
    const up: MenuAction = {
      id: 'up',
      label: t('groupUp'),
      icon: icon(ArrowUp),
      run: moved(groups[at - 1]?.id ?? null),
    }
    const down: MenuAction = {
      id: 'down',
      label: t('groupDown'),
      icon: icon(ArrowDown),
      run: moved(groups[at + 2]?.id ?? null),
    }
    return [
      { id: 'rename', label: t('renameGroup'), icon: icon(Pencil), run: () => ask({ kind: 'name', group }) },
      ...(at > 0 ? [up] : []),
      ...(at < groups.length - 1 ? [down] : []),
      {
        id: 'remove',
        label: t('removeGroup'),
        icon: icon(Trash2),
        danger: true,
        run: () => ask({ kind: 'remove', group }),
      },
    ]
  }
}

/** The actions of a server beside start and stop, which are in its row: power, place, renewal. */
const useServerActions = ({ readerId, isArranging, ask, step }: MenuDeps) => {
  const t = useTranslations('servers')
  const router = useRouter()
  return (server: Server): MenuAction[] => {
    const power = powerActionsFor(server.status, server.permissions).flatMap((action): MenuAction[] =>
      action === 'restart' || action === 'kill'
        ? [
            {
              id: action,
              label: t(`actions.${action}`),
              icon: icon(action === 'kill' ? Zap : RotateCw),
              danger: action === 'kill',
              run: () => ask({ kind: 'power', action, servers: [server] }),
            },
          ]
        : [],
    )
    const places: MenuAction[] = [
      { id: 'up', label: t('list.moveUp'), icon: icon(ArrowUp), run: () => step(server, -1) },
      { id: 'down', label: t('list.moveDown'), icon: icon(ArrowDown), run: () => step(server, 1) },
    ]
    const renew: MenuAction = {
      id: 'renew',
      label: t('list.renew'),
      icon: icon(CalendarClock),
      run: () => router.push(renewPath(server)),
    }
    return [
      ...power,
      ...(server.owner.id === readerId ? [renew] : []),
      ...(isArranging ? places : []),
      {
        id: 'group',
        label: t('list.moveTo'),
        icon: icon(FolderInput),
        run: () => ask({ kind: 'move', servers: [server.id] }),
      },
    ]
  }
}

/** The menu of a server or a group: which one is open, and how rows open theirs. */
export const useListMenu = (deps: MenuDeps) => {
  const t = useTranslations('servers.list')
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = useCallback(() => setOpened(null), [])
  const groupActions = useGroupActions(deps)
  const serverActions = useServerActions(deps)
  const toggle = (next: Opened) => setOpened((now) => (now?.opener === next.opener ? null : next))
  return {
    openMenu: (server: Server, opener: HTMLElement) =>
      toggle({ label: t('rowMenu', { name: server.name }), opener, actions: serverActions(server) }),
    openGroupMenu: (group: ServerGroup, opener: HTMLElement) =>
      toggle({ label: t('groupMenu', { name: group.name }), opener, actions: groupActions(group) }),
    menu: opened === null ? null : <ActionMenu {...opened} onClose={close} />,
  }
}
