import * as z from 'zod'
import { READ_FORMATS, WRITTEN_FORMATS } from './archive-formats.ts'
import { FilePath, InnerPath, NewPath } from './checked-path.ts'
import { FileJob } from './file-jobs.ts'
import { isNewName } from './file-path.ts'
import { REFUSALS } from './file-refusals.ts'
import { MAX_ADDRESS_LENGTH } from './web-address.ts'
import type { Permission } from './permissions.ts'
import { OpenUpload, UploadSums } from './uploads.ts'

/** The largest file that the editor changes; larger ones are shown read-only, by pieces. */
export const EDITABLE_BYTES = 4 * 1024 * 1024
/** The most entries of a folder in one response. */
export const MAX_LISTED = 1_000
/** The most things in one request that is answered when it is done. */
export const MAX_CHOSEN = 1_000
/** The most things of one job. */
export const MAX_JOB_THINGS = 10_000
export const MAX_MATCHES = 200
/** How long deleted things stay in the bin, unless they exceed its part of the storage before. */
export const BIN_DAYS = 7
export const BIN_PART = 0.1

export const ENTRY_KINDS = ['folder', 'file', 'link', 'other'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]
export const FileEntry = z.object({
  name: z.string(),
  kind: z.enum(ENTRY_KINDS),
  /** Bytes of a file; 0 for everything else. */
  size: z.number(),
  mtimeMs: z.number(),
  /** The nine permission bits. */
  mode: z.int(),
})
export type FileEntry = z.infer<typeof FileEntry>

export const LIST_ORDERS = ['name', 'size', 'time'] as const
const ListRequest = z.object({
  path: FilePath,
  from: z.int().min(0).default(0),
  limit: z.int().min(1).max(MAX_LISTED).default(MAX_LISTED),
  order: z.enum(LIST_ORDERS).default('name'),
  descending: z.boolean().default(false),
})
export type ListRequest = z.infer<typeof ListRequest>
export const FolderPage = z.object({ entries: z.array(FileEntry), total: z.int() })
export type FolderPage = z.infer<typeof FolderPage>

const Move = z.object({ from: InnerPath, to: NewPath })
const Moves = z.object({ moves: z.array(Move).min(1).max(MAX_CHOSEN) })
const Paths = z.object({ paths: z.array(InnerPath).min(1).max(MAX_CHOSEN) })
const JobPaths = z.object({ paths: z.array(InnerPath).min(1).max(MAX_JOB_THINGS) })
/**
 * Whether the client knows deletions as jobs. One of the release before knows only their results: it is answered when they are done, and its list
 * of jobs leaves them out, because it would read none of a list with a kind or a refusal that it does not know.
 */
const deletionJobs = z.boolean().optional()
/** One result for each thing of the request, in its order; null means done. */
const Results = z.object({ refusals: z.array(z.enum(REFUSALS).nullable()) })
export type Results = z.infer<typeof Results>

export const BinEntry = z.object({
  id: z.uuid(),
  path: z.string(),
  kind: z.enum(ENTRY_KINDS),
  bytes: z.number(),
  deletedAtMs: z.number(),
})
export type BinEntry = z.infer<typeof BinEntry>

const SearchRequest = z.object({
  path: FilePath,
  /** A part of the name, in any case. */
  name: z.string().max(200).default(''),
  /** A part of a line, in any case. With it only text files match. */
  content: z
    .string()
    .max(200)
    .refine((text) => !/[\r\n]/u.test(text), 'more than a line')
    .default(''),
})
export type SearchRequest = z.infer<typeof SearchRequest>
const Match = z.object({
  path: z.string(),
  kind: z.enum(ENTRY_KINDS),
  /** The first line with the content, from 1, and its beginning. */
  line: z.int().optional(),
  text: z.string().optional(),
})
export const SearchResult = z.object({
  matches: z.array(Match),
  /** True when there are more matches, or the time ended before everything was searched. */
  isPartial: z.boolean(),
})
export type SearchResult = z.infer<typeof SearchResult>

/** The largest permission bits that can be set: no set-user-ID, set-group-ID or sticky bit. */
export const MAX_MODE = 0o777

const Usage = z.object({
  /** The server's folder; 0 until it was measured for the first time. */
  bytes: z.number(),
  /** The node's own area beside it: the bin, earlier versions, and what is not complete yet. */
  binBytes: z.number(),
  limitBytes: z.number(),
})
export type Usage = z.infer<typeof Usage>

/** How many earlier versions of a file are kept; the editor makes them. */
export const KEPT_VERSIONS = 20
const FileVersion = z.object({ id: z.string(), bytes: z.number(), savedAtMs: z.number() })
export type FileVersion = z.infer<typeof FileVersion>

const Nothing = z.object({})
const Started = z.object({ job: FileJob })

const CompressRequest = z.object({
  /** The folder of everything that goes into the archive, by its names there. */
  folder: FilePath,
  names: z
    .array(FilePath.refine((path) => path !== '' && !path.includes('/'), 'not a name'))
    .min(1)
    .max(MAX_JOB_THINGS),
  /** The new archive. */
  to: NewPath,
  format: z.enum(WRITTEN_FORMATS),
})
export type CompressRequest = z.infer<typeof CompressRequest>

const ExtractRequest = z.object({
  path: InnerPath,
  format: z.enum(READ_FORMATS),
  /** The folder that receives the content, made where it is missing. */
  to: FilePath,
  /** Files that exist stay, or are replaced; either way they are in the report. */
  replaces: z.boolean().default(false),
})
export type ExtractRequest = z.infer<typeof ExtractRequest>

/**
 * The fate of a new thing whose name something has already: it is refused, it gets a number, or it takes the place, and the old
 * thing goes to the bin.
 */
export const TAKEN_NAMES = ['refuse', 'number', 'replace'] as const
export type TakenName = (typeof TAKEN_NAMES)[number]
/** `replace` also asks for `file.update` where the thing arrives. */
const taken = z.enum(TAKEN_NAMES).default('refuse')

const CopyRequest = z.object({
  moves: z.array(Move).min(1).max(MAX_JOB_THINGS),
  /** A copy replaces nothing. */
  taken: z.enum(TAKEN_NAMES).exclude(['replace']).default('refuse'),
})

const PullRequest = z.object({
  address: z.string().min(1).max(MAX_ADDRESS_LENGTH),
  /** The folder that receives the file. It must exist. */
  folder: FilePath,
  /** The name of the new file; without it, the name that the source gives. */
  name: z.string().refine(isNewName, 'not a name').optional(),
  taken,
})
export type PullRequest = z.output<typeof PullRequest>

const MAX_TOKEN_LENGTH = 8_192
const TransferRequest = z.object({
  /** Each becomes an entry of its own name in the folder. */
  paths: z.array(InnerPath).min(1).max(MAX_JOB_THINGS),
  /** Another server of this node, and the same person's token of the purpose `files` for it. */
  server: z.uuid(),
  token: z.string().max(MAX_TOKEN_LENGTH),
  /** The folder there that receives the things. It must exist. */
  folder: FilePath,
  /** Whether the things leave this server once they have arrived. */
  moves: z.boolean().default(false),
  taken,
})
export type TransferRequest = z.output<typeof TransferRequest>

/**
 * The calls of a node for the files of one server: `POST /servers/{id}/files/{call}` with `input` as JSON and a token of the
 * purpose `files` as Bearer. A call without a row is refused. The content of files has its own paths below.
 */
export const NODE_FILE_CALLS = {
  list: { permission: 'file.list', input: ListRequest, output: FolderPage },
  search: { permission: 'file.list', input: SearchRequest, output: SearchResult },
  'folder-size': {
    permission: 'file.list',
    input: z.object({ path: FilePath }),
    output: z.object({ bytes: z.number(), entries: z.int() }),
  },
  history: {
    permission: 'file.read',
    input: z.object({ path: InnerPath }),
    output: z.object({ versions: z.array(FileVersion) }),
  },
  usage: { permission: 'file.list', input: Nothing, output: Usage },
  /** Since when the server runs, by the node's clock; null while it does not. A file written later takes effect with the next start. */
  'running-since': {
    permission: 'file.list',
    input: Nothing,
    output: z.object({ sinceMs: z.number().nullable() }),
  },
  /** Where SFTP is on this node: its port, and the fingerprint that clients ask about. */
  sftp: {
    permission: 'file.sftp',
    input: Nothing,
    output: z.object({ port: z.int(), fingerprint: z.string() }),
  },
  'create-file': { permission: 'file.create', input: z.object({ path: NewPath }), output: Nothing },
  'create-folder': { permission: 'file.create', input: z.object({ path: NewPath }), output: Nothing },
  copy: { permission: 'file.create', input: CopyRequest, output: Started },
  move: { permission: 'file.update', input: Moves, output: Results },
  'change-mode': {
    permission: 'file.update',
    input: z.object({ ...Paths.shape, mode: z.int().min(0).max(MAX_MODE) }),
    output: Results,
  },
  delete: {
    permission: 'file.update',
    /** `forever` skips the bin. */
    input: z.object({ ...JobPaths.shape, forever: z.boolean().default(false), deletionJobs }),
    /** Nodes of earlier releases have done it when they answer, and have no job; their pages read `refusals`. */
    output: z.object({ job: FileJob.optional(), ...Results.shape }),
  },
  bin: { permission: 'file.list', input: Nothing, output: z.object({ entries: z.array(BinEntry) }) },
  restore: {
    permission: 'file.update',
    input: z.object({ id: z.uuid(), to: NewPath.optional() }),
    output: z.object({ path: z.string() }),
  },
  compress: { permission: 'file.compress', input: CompressRequest, output: Started },
  /** With `replaces` also `file.update`. */
  extract: { permission: 'file.compress', input: ExtractRequest, output: Started },
  /** The node downloads a file from the web. */
  pull: { permission: 'file.create', input: PullRequest, output: Started },
  /**
   * Copies or moves things to another server of the node. Also `file.create` there, and with `moves` also `file.update` here: what
   * leaves is deleted here.
   */
  transfer: { permission: 'file.read', input: TransferRequest, output: Started },
  /** Copies, archives, extractions, deletions, pulls and transfers that run, or ended lately. */
  jobs: { permission: 'file.list', input: z.object({ deletionJobs }), output: z.object({ jobs: z.array(FileJob) }) },
  /** Cancels a job that runs, and forgets one that has ended: the holder's own, or with `file.update` everybody's. */
  'end-job': { permission: 'file.list', input: z.object({ id: z.uuid() }), output: Nothing },
  /** Uploads in parts that are not complete, of everybody. */
  'open-uploads': { permission: 'file.list', input: Nothing, output: z.object({ uploads: z.array(OpenUpload) }) },
  /**
   * The bytes of the holder's own upload that have arrived, so that another browser can tell whether it has the same
   * file.
   */
  'upload-sums': {
    permission: 'file.create',
    input: z.object({ id: z.uuid(), fromPart: z.int().min(0) }),
    output: UploadSums,
  },
  /** Removes an upload that is not complete: the holder's own, or with `file.update` everybody's. */
  'end-upload': {
    permission: 'file.list',
    input: z.object({ id: z.uuid() }),
    output: z.object({ path: z.string(), isOwn: z.boolean() }),
  },
  'empty-bin': {
    permission: 'file.update',
    input: z.object({ ids: z.array(z.uuid()).max(MAX_CHOSEN).optional(), deletionJobs }),
    /** Without a job by nodes of earlier releases. */
    output: z.object({ job: FileJob.optional() }),
  },
} as const satisfies Record<string, { permission: Permission; input: z.ZodType; output: z.ZodType }>

export type NodeFileCall = keyof typeof NODE_FILE_CALLS
export type NodeFileInput<Call extends NodeFileCall> = z.input<(typeof NODE_FILE_CALLS)[Call]['input']>
export type NodeFileRequest<Call extends NodeFileCall> = z.output<(typeof NODE_FILE_CALLS)[Call]['input']>
export type NodeFileOutput<Call extends NodeFileCall> = z.output<(typeof NODE_FILE_CALLS)[Call]['output']>

/**
 * `GET /servers/{id}/files/content?path=` reads a file, with `Range`, or with `version` an earlier one of `history`; `PUT` writes one as a whole. `If-Match` with the ETag of the
 * version that was read replaces only that version (409 CHANGED otherwise); `If-None-Match: *` creates, and refuses what
 * exists; without either the file is replaced.
 */
export const CONTENT_PERMISSIONS = { read: 'file.read', create: 'file.create', replace: 'file.update' } as const

/** `GET /servers/{id}/download?token=`: the file or folder that a single-use token of the purpose `download` names. */
export const DOWNLOAD_PERMISSION = 'file.read' satisfies Permission
