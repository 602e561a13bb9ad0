// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { NO_RESULT } from '#contracts/panel/file-jobs.ts'
import { MAX_CHOSEN, MAX_JOB_THINGS, NODE_FILE_CALLS } from '#contracts/panel/node-files.ts'
import type { NodeFileCall } from '#contracts/panel/node-files.ts'
import { BinPanel } from '@/features/files/bin-panel.tsx'
import { FileTrouble } from '@/features/files/file-trouble.ts'
import { FilesContext } from '@/features/files/files-context.tsx'
import type { Files } from '@/features/files/files-context.tsx'
import { UsageMeter } from '@/features/files/usage-meter.tsx'
import { useFileActions } from '@/features/files/use-file-actions.ts'
import { ToastProvider } from '@/ui/surfaces/toast.tsx'
import { eventually, shownPage, type ShownPage } from '../../../support/shown-page.tsx'

const ENDED: FileJob = {
  ...NO_RESULT,
  id: '01990000-0000-7000-9000-000000000001',
  kind: 'copy',
  state: 'done',
  path: 'a',
  things: 1,
  moves: false,
  arrives: false,
  isOwn: true,
  startedAtMs: 0,
  endedAtMs: 1,
  done: 1,
  total: 1,
  refusal: null,
}
type Sent = { readonly call: string; readonly input: Record<string, unknown> }
type Answers = Partial<Record<NodeFileCall, (input: never) => unknown>>

/** A node that takes what the contract takes, and answers as the test says. */
const nodeWith = (answers: Answers, most = MAX_JOB_THINGS) => {
  const sent: Sent[] = []
  const call = (name: NodeFileCall, input: Record<string, unknown>) => {
    sent.push({ call: name, input })
    const { length } = (input['paths'] ?? input['moves'] ?? []) as unknown[]
    if (length > most || !NODE_FILE_CALLS[name].input.safeParse(input).success)
      return Promise.reject(new FileTrouble('INVALID_PATH'))
    try {
      return Promise.resolve(answers[name]?.(input as never) ?? { jobs: [], entries: [] })
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error('thrown'))
    }
  }
  const files = { server: { id: 's1' }, node: { call }, may: () => true, isReadOnly: false } as unknown as Files
  return { files, of: (name: string) => sent.filter((each) => each.call === name).map(({ input }) => input) }
}

const paths = (count: number) => Array.from({ length: count }, (_, index) => `world/file-${index}`)

const Actions = ({ files, many }: { files: Files; many: readonly string[] }) => {
  const actions = useFileActions(files)
  return (
    <>
      <button onClick={() => actions.setClipboard({ kind: 'copy', paths: many })}>copy</button>
      <button onClick={() => actions.setClipboard({ kind: 'cut', paths: many })}>cut</button>
      <button onClick={() => void actions.paste('backup')}>paste</button>
      <button onClick={() => void actions.deleteAll(many)}>delete</button>
      <button onClick={() => void actions.deleteAll(['elsewhere'])}>another deletion</button>
      <output>{actions.tooLarge.join()}</output>
      <BinPanel />
      <UsageMeter />
    </>
  )
}

let page: ShownPage
const open = (files: Files, count: number) => {
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true
  }
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <FilesContext value={files}>
        <Actions files={files} many={paths(count)} />
      </FilesContext>
    </ToastProvider>,
    {},
  )
}
const press = async (text: string) => (await page.see('button', text)).click()
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

it('many things are pasted by one call, which gives them numbers beside their names', async () => {
  const { files, of } = nodeWith({ copy: () => ({ job: ENDED }) })
  open(files, 15)
  await press('copy')
  await press('paste')
  await eventually(() => expect(of('copy')).toHaveLength(1))
  const moves = paths(15).map((from) => ({ from, to: from.replace('world', 'backup') }))
  expect(of('copy')).toEqual([{ moves, taken: 'number' }])
})

it('2,500 things are cut and pasted in portions that the node takes, and nothing of them is refused', async () => {
  const { files, of } = nodeWith({ move: ({ moves }: { moves: unknown[] }) => ({ refusals: moves.map(() => null) }) })
  open(files, 2_500)
  await press('cut')
  await press('paste')
  await eventually(() => expect(of('move')).toHaveLength(3))
  const moved = of('move').flatMap(({ moves }) => moves as { from: string }[])
  expect(moved.map(({ from }) => from)).toEqual(paths(2_500))
  expect(page.text()).not.toContain("can't be used")
})

it('2,500 things are deleted by one job, which is followed to its end', async () => {
  let asked = 0
  const job = (change: Partial<FileJob>): FileJob => ({ ...ENDED, kind: 'delete', things: 2_500, ...change })
  const refusals = paths(2_500).map((_, index) => (index === 7 ? ('BIN_TOO_SMALL' as const) : null))
  const { files, of } = nodeWith({
    delete: () => ({ job: job({ state: 'running', endedAtMs: null }), refusals: [] }),
    jobs: () => ({ jobs: [(asked += 1) < 2 ? job({ state: 'running', endedAtMs: null }) : job({ refusals })] }),
  })
  open(files, 2_500)
  await press('delete')
  await eventually(() => expect(page.find('output', 'world/file-7')).toBeDefined())
  expect(of('delete')).toEqual([{ paths: paths(2_500), forever: false, deletionJobs: true }])
})

it('a node of an earlier release, which has deleted when it answers, is understood', async () => {
  const { files } = nodeWith({ delete: () => ({ refusals: ['BIN_TOO_SMALL', null] }) })
  open(files, 2)
  await press('delete')
  await page.see('body', 'file-1 is in the bin.')
  expect(page.find('output', 'world/file-0')).toBeDefined()
})

it('a node of an earlier release gets as many things at once as it takes', async () => {
  const copies = ({ moves }: { moves: unknown[] }) => ({ job: { ...ENDED, refusals: moves.map(() => null) } })
  const done = ({ paths: asked }: { paths: unknown[] }) => ({ refusals: asked.map(() => null) })
  const { files, of } = nodeWith({ copy: copies, delete: done }, MAX_CHOSEN)
  open(files, 2_500)
  await press('copy')
  await press('paste')
  await press('delete')
  await page.see('body', '2,500 items are in the bin.')
  expect(of('delete').map((each) => (each['paths'] as unknown[]).length)).toEqual([2_500, 1_000, 1_000, 500])
  await eventually(() =>
    expect(of('copy').map((each) => (each['moves'] as unknown[]).length)).toEqual([2_500, 1_000, 1_000, 500]),
  )
  expect(page.text()).not.toContain("can't be used")
})

it('a node of an earlier release refuses a copy beside its name, which is numbered as its own page does', async () => {
  const taken = new Set(['backup/file-1', 'backup/file-1 (2)'])
  const { files, of } = nodeWith({
    copy: ({ moves }: { moves: { to: string }[] }) => ({
      job: { ...ENDED, refusals: moves.map(({ to }) => (taken.has(to) ? ('ALREADY_EXISTS' as const) : null)) },
    }),
    'end-job': () => {
      throw new FileTrouble('NOT_FOUND')
    },
  })
  open(files, 2)
  await press('copy')
  await press('paste')
  await eventually(() => expect(of('copy')).toHaveLength(4))
  expect(of('copy').map(({ moves }) => (moves as { to: string }[]).map(({ to }) => to))).toEqual([
    ['backup/file-0', 'backup/file-1'],
    ['backup/file-1'],
    ['backup/file-1 (2)'],
    ['backup/file-1 (3)'],
  ])
  expect(page.find('[role=status], [role=alert]', 'exists')).toBeUndefined()
})

it('portions are all started at once, and those that the node refuses are named with all their things', async () => {
  let asked = 0
  const { files, of } = nodeWith({
    delete: () => {
      if ((asked += 1) > 1) throw new FileTrouble('BUSY')
      return new Promise(() => {})
    },
    move: () => {
      throw new FileTrouble('BUSY')
    },
  })
  open(files, 25_000)
  await press('delete')
  await eventually(() => expect(of('delete').map((each) => (each['paths'] as unknown[]).length)).toHaveLength(3))
  await press('cut')
  await press('paste')
  await page.see('body', /24[ ,]?999/u)
})

it('a deletion that fails is said once, also where its job is no longer in the list, and keeps an open question', async () => {
  const answers = [
    { refusals: ['BIN_TOO_SMALL' as const, null], state: 'done' as const },
    { refusals: [null, 'BIN_TOO_SMALL' as const], state: 'done' as const },
    { state: 'failed' as const, refusal: 'NOT_FOUND' as const },
  ]
  const { files, of } = nodeWith({
    delete: () => ({ job: { ...ENDED, kind: 'delete', ...answers.shift() }, refusals: [] }),
    'end-job': () => {
      throw new FileTrouble('NOT_FOUND')
    },
  })
  open(files, 2)
  await press('delete')
  await eventually(() => expect(page.find('output')?.textContent).toBe('world/file-0'))
  await press('delete')
  await eventually(() => expect(page.find('output')?.textContent).toBe('world/file-1'))
  await press('another deletion')
  await page.see('body', 'no longer exists')
  await eventually(() => expect(of('end-job')).toHaveLength(3))
  expect(page.find('output')?.textContent).toBe('world/file-1')
})

it('a bin that is not emptied says so, and one that cannot be read is not called empty', async () => {
  let isRead = true
  const entry = { id: ENDED.id, path: 'old.txt', kind: 'file', bytes: 1, deletedAtMs: Date.now() }
  const { files } = nodeWith({
    bin: () => {
      if (isRead) return { entries: [entry] }
      throw new FileTrouble('AWAY')
    },
    'empty-bin': () => {
      throw new FileTrouble('READ_ONLY')
    },
  })
  open(files, 1)
  await page.see('summary', '1 item, kept for 7 days')
  await press('Empty the bin')
  await (await page.see('dialog button', 'Empty the bin')).click()
  await page.see('body', "The files of this server can't be changed right now.")
  page.close()
  isRead = false
  open(files, 1)
  await page.see('details', "The server's machine isn't answering.")
  expect(page.find('summary', 'empty')).toBeUndefined()
})

it('the meter tells files, bin and limit apart', async () => {
  const { files } = nodeWith({
    usage: () => ({ bytes: 3 * 1024 ** 3, binBytes: 512 * 1024 ** 2, limitBytes: 10 * 1024 ** 3 }),
  })
  open(files, 1)
  await eventually(() => expect(page.text()).toContain('3.5 GB / 10 GB'))
  expect(page.text()).toContain('Files 3 GB, bin and earlier versions 512 MB')
})
