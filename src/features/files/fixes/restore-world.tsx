'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { nameOf } from '#contracts/panel/file-path.ts'
import type { Server } from '#contracts/http/server.ts'
import { propertyValues } from '#domain/config-files/java-properties.ts'
import { damagedFileOf, keptPath } from '#domain/known-errors/world-files.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { FixDone, FocusKept } from '@/lib/servers/fix-done.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { FileTrouble } from '../file-trouble.ts'
import { filesOf } from '../files-context.tsx'
import { filesKey } from '../files-queries.ts'
import type { NodeFiles } from '../node-files.ts'
import { planLevel } from './level-file.ts'
import type { LevelPlan } from './level-file.ts'
import { etagOf, moveBack, moveFiles } from './moved-files.ts'
import type { FileMove, MovedFiles } from './moved-files.ts'
import { readPropertiesFile } from './properties-file.ts'
import { useFileFix } from './use-file-fix.ts'

/** Only then does nothing else write the world. */
const STOPPED: readonly ServerWord[] = ['crashed', 'error on startup', 'offline', 'healthy']
const DEFAULT_WORLD = 'world'

type WorldPlan =
  | LevelPlan
  | { readonly is: 'region'; readonly path: string; readonly kept: string; readonly moves: readonly FileMove[] }

const worldFolder = async (node: NodeFiles): Promise<string> => {
  const file = await readPropertiesFile(node)
  return (file && propertyValues(file.text).get('level-name')) || DEFAULT_WORLD
}

/** The plan for the file that the line names; null where it names none that is there. */
const planWorld = async (node: NodeFiles, line: string): Promise<WorldPlan | null> => {
  const damaged = damagedFileOf(line)
  if (damaged === undefined) return null
  if (damaged.is === 'level') return planLevel(node, damaged.folder ?? (await worldFolder(node)), Date.now())
  const { path } = damaged
  try {
    await etagOf(node, path)
  } catch (error) {
    if (error instanceof FileTrouble && error.code === 'NOT_FOUND') return null
    throw error
  }
  const kept = keptPath(path, Date.now())
  return { is: 'region', path, kept, moves: [{ from: path, to: kept }] }
}

type Movable = Extract<WorldPlan, { moves: readonly FileMove[] }>
type OfferedProps = { plan: WorldPlan; isStopped: boolean; isBusy: boolean; onApply: (plan: Movable) => void }

/** The effect of the click, and the reason that makes it impossible now. */
const Offered = ({ plan, isStopped, isBusy, onApply }: OfferedProps) => {
  const t = useTranslations('console.known.world')
  if (!('moves' in plan)) return <span className="small t2">{t(plan.is)}</span>
  const { path } = plan
  const kept = nameOf(plan.kept)
  return (
    <>
      <span className="small t2">{t(plan.is === 'region' ? 'regionPreview' : 'levelPreview', { path, kept })}</span>
      {isStopped ? (
        <Button size="s" look="primary" busy={isBusy} onClick={() => onApply(plan)}>
          {plan.is === 'region' ? t('moveRegion', { name: nameOf(path) }) : t('restoreLevel')}
        </Button>
      ) : (
        <span className="small">{t('stopFirst')}</span>
      )}
    </>
  )
}

type RestoreWorldProps = { server: Server; word: ServerWord; line: string; otherwise: ReactNode }
type WorldChange = { readonly plan: Movable; readonly moved: MovedFiles }

const useWorldFix = () => {
  const t = useTranslations('console.known.world')
  return useFileFix<WorldChange>({ undone: () => t('undone'), changed: (path) => t('changed', { path }) })
}

/** Puts the game's own copy of level.dat in its place, or moves a damaged region out of the world; both with a way back. */
export const RestoreWorld = ({ server, word, line, otherwise }: RestoreWorldProps) => {
  const t = useTranslations('console.known')
  const tp = useTranslations('collaborators.keys')
  const toast = useToast()
  const { node, isReadOnly } = filesOf(server, Date.now())
  const { change, isBusy, apply, undo } = useWorldFix()
  const missing = (['file.read', 'file.update'] as const).find((key) => !server.permissions.includes(key))
  const isStopped = STOPPED.includes(word)
  const plan = useQuery({
    queryKey: [...filesKey(server.id), 'damaged-world', line],
    queryFn: () => planWorld(node, line),
    enabled: !isReadOnly && missing === undefined && change === null,
    retry: false,
    // After undo the earlier look is shown at once, so that the focus has a place, and then a new one.
    staleTime: 0,
  }).data
  const back = ({ plan: { path } }: WorldChange) => {
    if (!isStopped) return void toast({ lamp: 'crash', text: t('world.stopFirst') })
    void undo(path, ({ moved }) => moveBack(node, moved))
  }
  const note = isReadOnly ? t('world.readOnly') : missing && t('needs', { permission: tp(missing) })
  const done =
    change &&
    (change.plan.is === 'region' ? t('world.regionDone', { name: nameOf(change.plan.kept) }) : t('world.levelDone'))
  return (
    <FocusKept state={change === null ? 'offered' : 'done'}>
      {note === undefined ? null : <span className="small t2">{note}</span>}
      {change === null && plan ? (
        <Offered
          plan={plan}
          isStopped={isStopped}
          isBusy={isBusy}
          onApply={(chosen) =>
            void apply(chosen.path, async () => ({ plan: chosen, moved: await moveFiles(node, chosen.moves) }))
          }
        />
      ) : null}
      {change === null || done === null ? null : (
        <FixDone server={server} text={done} isBusy={isBusy} onUndo={() => back(change)} />
      )}
      {otherwise}
    </FocusKept>
  )
}
