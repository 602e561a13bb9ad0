import {
  Activity,
  Archive,
  ArrowRightLeft,
  Braces,
  CircleX,
  Clock,
  CloudDownload,
  Copy,
  Database,
  Download,
  FileArchive,
  FilePen,
  FilePlus,
  Files,
  FolderPlus,
  FolderSync,
  Inbox,
  Lock,
  Monitor,
  Network,
  PackageOpen,
  Play,
  Power,
  Receipt,
  RotateCw,
  Send,
  Settings,
  SlidersHorizontal,
  Square,
  Terminal,
  Timer,
  Trash2,
  TriangleAlert,
  Undo2,
  Upload,
  Users,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ServerActivity } from '#contracts/http/panel/server-activity.ts'

const OF_GROUPS = {
  power: Power,
  state: TriangleAlert,
  console: Terminal,
  files: Files,
  saves: Archive,
  databases: Database,
  timers: Clock,
  networks: Network,
  startup: SlidersHorizontal,
  users: Users,
  settings: Settings,
  contract: Receipt,
  other: Activity,
} as const satisfies Readonly<Record<ServerActivity['group'], LucideIcon>>

/** By the last part of a type, within a group. */
const OF_ACTIONS: Readonly<Record<string, LucideIcon>> = {
  'power start': Play,
  'power stop': Square,
  'power restart': RotateCw,
  'power kill': CircleX,
  'state expired': Clock,
  'state expired-deleted': Trash2,
  'state moved-by-force': ArrowRightLeft,
  'files write': FilePen,
  'files uploaded': Upload,
  'files download': Download,
  'files archive': Download,
  'files create': FilePlus,
  'files create-directory': FolderPlus,
  'files rename': ArrowRightLeft,
  'files copy': Copy,
  'files compress': FileArchive,
  'files decompress': PackageOpen,
  'files pull': CloudDownload,
  'files move-to': Send,
  'files copy-to': Send,
  'files arrive': Inbox,
  'files delete': Trash2,
  'files empty-bin': Trash2,
  'files upload-removed': Trash2,
  'files chmod': Lock,
  'files restore': Undo2,
}

const actionOf = (type: string): string => type.split(/[.:]/).at(-1) ?? ''

/** An action as a drawing; its words stand beside it. */
export const ActivityIcon = ({ type, group }: Pick<ServerActivity, 'type' | 'group'>) => {
  const Drawing = OF_ACTIONS[`${group} ${actionOf(type)}`] ?? OF_GROUPS[group]
  return <Drawing className="i i-s" aria-hidden />
}

/** A group as a drawing; its word stands beside it. */
export const GroupIcon = ({ group }: { group: ServerActivity['group'] }) => {
  const Drawing = OF_GROUPS[group]
  return <Drawing className="i i-s" aria-hidden />
}

const OF_WAYS = { panel: Monitor, sftp: FolderSync, api: Braces, timer: Timer } as const

/** A way as a drawing; its word stands beside it. */
export const WayIcon = ({ way }: { way: keyof typeof OF_WAYS }) => {
  const Drawing = OF_WAYS[way]
  return <Drawing className="i i-s" aria-hidden />
}
