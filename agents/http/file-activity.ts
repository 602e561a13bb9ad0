import type { NodeFileCall, NodeFileOutput, NodeFileRequest, Results } from '#contracts/panel/node-files.ts'
import type { Arrived } from '../files/transferring/transfer.ts'

export interface FileActivity {
  /** A word of the vocabulary that game panels share (`server:file.…`). */
  readonly type: string
  readonly detail: string
}

const shortened = ([first = '', ...more]: readonly string[]): string =>
  more.length > 0 ? `${first} (+${more.length})` : first

/** The things of a request that were done, shortened for one line of the log. */
const done = (things: readonly string[], answer: unknown): string => {
  const { refusals } = answer as Results
  return shortened(things.filter((_thing, index) => refusals[index] === null))
}

const moved = ({ moves }: NodeFileRequest<'move'>): string[] => moves.map(({ from, to }) => `${from} → ${to}`)

/** The entries of both activity logs for things that went to another server; `names` are those of the two servers. */
export const transferActivities = (
  done: readonly Arrived[],
  names: { readonly source: string; readonly target: string },
): { source: FileActivity[]; target: FileActivity[] } => {
  const entry = (type: string, things: readonly Arrived[], words: (thing: Arrived) => string): FileActivity[] =>
    things.length === 0 ? [] : [{ type, detail: shortened(things.map(words)) }]
  const there = ({ from, to }: Arrived): string => `${from} → ${names.target}:${to}`
  const gone = done.filter(({ hasLeft }) => hasLeft)
  const stayed = done.filter(({ hasLeft }) => !hasLeft)
  return {
    source: [...entry('server:file.move-to', gone, there), ...entry('server:file.copy-to', stayed, there)],
    target: entry('server:file.arrive', done, ({ from, to }) => `${to} ← ${names.source}:${from}`),
  }
}

/** The vocabulary that game panels share, where it has a word. */
const TYPES: Partial<Readonly<Record<NodeFileCall, string>>> = {
  'create-file': 'server:file.create',
  'create-folder': 'server:file.create-directory',
  copy: 'server:file.copy',
  compress: 'server:file.compress',
  extract: 'server:file.decompress',
  pull: 'server:file.pull',
  move: 'server:file.rename',
  'change-mode': 'server:file.chmod',
  delete: 'server:file.delete',
  restore: 'server:file.restore',
  'empty-bin': 'server:file.empty-bin',
  'end-upload': 'server:file.upload-removed',
}

/** The entry of the activity log for an answered call; undefined for one that changed nothing. */
export const activityOf = (call: NodeFileCall, request: unknown, answer: unknown): FileActivity | undefined => {
  const type = TYPES[call]
  const detail = detailOf(call, request, answer)
  return type === undefined || detail === undefined || detail === '' ? undefined : { type, detail }
}

/** The entry of a deletion that ended before it was done: all that it was about. Other work that ends so has changed nothing. */
export const endedActivity = (call: NodeFileCall, request: unknown): FileActivity | undefined => {
  if (call === 'empty-bin') return activityOf(call, request, {})
  if (call !== 'delete') return undefined
  return { type: 'server:file.delete', detail: shortened((request as NodeFileRequest<'delete'>).paths) }
}

const detailOf = (call: NodeFileCall, request: unknown, answer: unknown): string | undefined => {
  switch (call) {
    case 'create-file':
    case 'create-folder':
      return (request as NodeFileRequest<'create-file'>).path
    case 'copy':
    case 'move':
      return done(moved(request as NodeFileRequest<'move'>), answer)
    case 'delete':
      return done((request as NodeFileRequest<'delete'>).paths, answer)
    case 'change-mode': {
      const { paths, mode } = request as NodeFileRequest<'change-mode'>
      return done(
        paths.map((path) => `${path} (${mode.toString(8)})`),
        answer,
      )
    }
    case 'compress':
      return (request as NodeFileRequest<'compress'>).to
    case 'extract':
      return (request as NodeFileRequest<'extract'>).path
    case 'pull': {
      // Without the address itself, which may contain a secret.
      const { path, host } = answer as { path: string; host: string }
      return `${path} ← ${host}`
    }
    case 'restore':
      return (answer as { path: string }).path
    case 'end-upload': {
      // Nothing has changed when somebody ends an upload that they began.
      const { path, isOwn } = answer as NodeFileOutput<'end-upload'>
      return isOwn ? undefined : path
    }
    case 'empty-bin': {
      const { ids } = request as NodeFileRequest<'empty-bin'>
      return ids === undefined ? '*' : String(ids.length)
    }
    default:
      return undefined
  }
}
