import { AGENT_PATHS } from './agent-paths.ts'
import type { FileRefusal } from './file-refusals.ts'
import { CONTENT_PERMISSIONS, DOWNLOAD_PERMISSION, NODE_FILE_CALLS, type NodeFileCall } from './node-files.ts'
import { PORTS_PERMISSION } from './node-ports.ts'
import type { Permission } from './permissions.ts'

/** The purposes of a node's tokens; none opens anything of another purpose. */
export const TOKEN_PURPOSES = ['console', 'archive', 'files', 'download', 'ports'] as const
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number]

/** The refusals of the archive of an expired server, with their status. */
export const ARCHIVE_REFUSALS = {
  INVALID_TOKEN: 401,
  NOT_FOUND: 404,
  NO_SUCH_RANGE: 416,
  NOT_EXPIRED: 409,
  STILL_RUNNING: 409,
  BUSY: 503,
} as const
export type ArchiveRefusal = keyof typeof ARCHIVE_REFUSALS

/** `change`: refused for servers that may only be read. `deed`: refused for those who look as a collaborator, and so is a change. */
export type AgentEffect = 'look' | 'deed' | 'change'

/**
 * One call of a node. The agent reads `method`, `path`, `serves`, `call`, `permissions`, `effect`, and whether the token is that of a download.
 * Its doors keep to the other fields by themselves: a test asks each row, and compares the token and its place, the body, the origins and the
 * refusals that it meets. `limits.place` is for readers alone.
 */
export interface AgentCall {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly serves: 'ping' | 'socket' | 'archive' | 'ports' | 'download' | 'call' | 'content' | 'uploads' | 'upload'
  /** The row of `NODE_FILE_CALLS`, for a call with JSON. */
  readonly call?: NodeFileCall
  /** The purpose of the token and where the request carries it; null for a call without one. */
  readonly token: { readonly purpose: TokenPurpose; readonly in: 'bearer' | 'query' | 'handshake' } | null
  /**
   * The permissions that the token must carry: `always`, and those of a request that may create something, or replace something. A token
   * without permissions, as that of a download, was signed for somebody who has them.
   */
  readonly permissions: {
    readonly always?: Permission
    readonly creates?: Permission
    readonly replaces?: Permission
  }
  readonly effect: AgentEffect
  readonly limits: {
    /** The places that it takes (`overload.ts`): calls have a rate as well, transfers count while they run. */
    readonly place: 'none' | 'socket' | 'archive' | 'call' | 'transfer'
    /** JSON is bounded by `agent.files.bodyBytes`, a stream by the storage and by the time in which nothing comes. */
    readonly body: 'none' | 'json' | 'stream'
  }
  /** The refusals in an answer with JSON. A method that a path does not have is METHOD_NOT_ALLOWED, an unknown path NOT_FOUND. */
  readonly errors: readonly (FileRefusal | ArchiveRefusal)[]
  /** `site`: a request from another origin is refused. `all`: it is answered, and only pages of the site may read the answer. */
  readonly origins: 'all' | 'site'
}

/** CORS of every call: no credentials, because a node uses no cookies. */
export const AGENT_CORS = {
  requestHeaders: [
    'authorization',
    'content-type',
    'if-match',
    'if-none-match',
    'range',
    'tus-resumable',
    'upload-length',
    'upload-metadata',
    'upload-offset',
    'upload-checksum',
  ],
  /** The headers of answers about files that a page of the site reads beside the body. */
  exposedHeaders: [
    'etag',
    'content-range',
    'content-length',
    'retry-after',
    'location',
    'upload-offset',
    'upload-length',
    'upload-metadata',
    'upload-expires',
    'tus-resumable',
    'tus-version',
    'tus-extension',
    'tus-max-size',
  ],
  maxAgeSeconds: 600,
} as const

const ADMISSION = ['INVALID_TOKEN', 'FORBIDDEN', 'NOT_FOUND', 'BUSY', 'INTERNAL'] as const
/** On the way to a path. */
const WAY = ['INVALID_PATH', 'NOT_A_FOLDER', 'NOT_A_FILE', 'LINK_REFUSED', 'DENIED'] as const
const NEW = ['ALREADY_EXISTS', 'NO_SPACE', 'NODE_FULL'] as const
const JSON_BODY = ['INVALID_REQUEST', 'INVALID_PATH', 'TOO_LARGE'] as const
const TUS = ['WRONG_VERSION', 'INVALID_REQUEST', 'TOO_LARGE', 'UPLOAD_GONE'] as const

const refusalsOf = (effect: AgentEffect, more: readonly FileRefusal[]): readonly FileRefusal[] => [
  ...new Set([
    ...ADMISSION,
    ...(effect === 'look' ? [] : (['SEEING_AS'] as const)),
    ...(effect === 'change' ? (['READ_ONLY'] as const) : []),
    ...more,
  ]),
]

type CallFacts = { readonly effect: AgentEffect; readonly errors: readonly FileRefusal[]; readonly replaces?: true }
const look = (...errors: readonly FileRefusal[]): CallFacts => ({ effect: 'look', errors })
const deed = (...errors: readonly FileRefusal[]): CallFacts => ({ effect: 'deed', errors })
const change = (...errors: readonly FileRefusal[]): CallFacts => ({ effect: 'change', errors })
const mayReplace = { replaces: true } as const

/** A call for several things says of each how it ended, and one that starts a job says it in the job. */
const CALL_FACTS: { readonly [Call in NodeFileCall]: CallFacts } = {
  list: look(...WAY),
  search: look(...WAY),
  'folder-size': look(...WAY),
  history: look(...WAY),
  usage: look(),
  'running-since': look(),
  sftp: look(),
  bin: look('DENIED'),
  jobs: look(),
  'open-uploads': look(),
  'upload-sums': deed('UPLOAD_GONE'),
  'end-job': deed(),
  'end-upload': deed('UPLOAD_GONE'),
  /** It writes on another server, and here where things leave. */
  transfer: deed('READ_ONLY'),
  'create-file': change(...WAY, ...NEW),
  'create-folder': change(...WAY, ...NEW),
  copy: change(),
  move: change(),
  'change-mode': change(),
  /** Clients of the release before are answered at the end of the job, with its refusal. */
  delete: change(...WAY, 'BIN_TOO_SMALL', 'NO_SPACE'),
  'empty-bin': change('DENIED', 'NO_SPACE'),
  restore: change(...WAY, ...NEW, 'INTO_ITSELF'),
  compress: change(),
  extract: { ...change(), ...mayReplace },
  pull: { ...change('ADDRESS_REFUSED'), ...mayReplace },
}

const FILES_TOKEN = { purpose: 'files', in: 'bearer' } as const

const rowOf = (call: NodeFileCall): AgentCall => {
  const { effect, errors, replaces } = CALL_FACTS[call]
  const { permission: always } = NODE_FILE_CALLS[call]
  return {
    method: 'POST',
    path: AGENT_PATHS.call.replace('{call}', call),
    serves: 'call',
    call,
    token: FILES_TOKEN,
    permissions: replaces ? { always, replaces: CONTENT_PERMISSIONS.replace } : { always },
    effect,
    limits: { place: 'call', body: 'json' },
    errors: refusalsOf(effect, [...JSON_BODY, ...errors]),
    origins: 'all',
  }
}

type Row = Pick<AgentCall, 'method' | 'effect'> & { readonly errors: readonly FileRefusal[] }

const transferOf = (
  { method, effect, errors }: Row,
  rest: Pick<AgentCall, 'path' | 'serves' | 'permissions'> & Partial<Pick<AgentCall, 'token' | 'limits'>>,
): AgentCall => ({
  method,
  token: FILES_TOKEN,
  effect,
  limits: { place: 'transfer', body: 'none' },
  origins: 'all',
  ...rest,
  errors: refusalsOf(effect, errors),
})

const { read, create: creates, replace: replaces } = CONTENT_PERMISSIONS
const STREAM = { place: 'transfer', body: 'stream' } as const
const CONTENT = { path: AGENT_PATHS.content, serves: 'content' } as const
const UPLOADS = { path: AGENT_PATHS.uploads, serves: 'uploads', permissions: { creates, replaces } } as const
const UPLOAD = { path: AGENT_PATHS.upload, serves: 'upload', permissions: { always: creates } } as const
const DOWNLOAD = {
  path: AGENT_PATHS.download,
  serves: 'download',
  token: { purpose: 'download', in: 'query' },
  permissions: { always: DOWNLOAD_PERMISSION },
} as const
const ARCHIVE = {
  path: AGENT_PATHS.archive,
  serves: 'archive',
  token: { purpose: 'archive', in: 'query' },
  permissions: {},
  effect: 'look',
  limits: { place: 'archive', body: 'none' },
  errors: Object.keys(ARCHIVE_REFUSALS) as ArchiveRefusal[],
  origins: 'all',
} as const satisfies Omit<AgentCall, 'method'>
const PLACED = [...WAY, ...NEW, ...TUS] as const

/**
 * Every call that a node answers by HTTP: its router knows no other one, and `tests/integration/agents/agent-http.test.ts` walks them. Input
 * and output of the calls with JSON are in `node-files.ts`, the messages of the socket in `messages.ts`.
 */
export const AGENT_HTTP: readonly AgentCall[] = [
  {
    method: 'GET',
    path: AGENT_PATHS.ping,
    serves: 'ping',
    token: null,
    permissions: {},
    effect: 'look',
    limits: { place: 'none', body: 'none' },
    errors: [],
    origins: 'site',
  },
  {
    method: 'GET',
    path: AGENT_PATHS.socket,
    serves: 'socket',
    token: { purpose: 'console', in: 'handshake' },
    /** Each message asks for its own (`PERMISSION_OF_MESSAGE`). */
    permissions: {},
    effect: 'look',
    limits: { place: 'socket', body: 'none' },
    errors: [],
    origins: 'site',
  },
  { method: 'GET', ...ARCHIVE },
  /** Says whether GET would succeed, and does not use the token up. */
  { method: 'HEAD', ...ARCHIVE },
  {
    method: 'GET',
    path: AGENT_PATHS.ports,
    serves: 'ports',
    token: { purpose: 'ports', in: 'bearer' },
    permissions: { always: PORTS_PERMISSION },
    effect: 'look',
    limits: { place: 'call', body: 'none' },
    errors: refusalsOf('look', []),
    origins: 'all',
  },
  transferOf({ method: 'GET', effect: 'look', errors: WAY }, DOWNLOAD),
  transferOf({ method: 'HEAD', effect: 'look', errors: WAY }, DOWNLOAD),
  transferOf(
    { method: 'GET', effect: 'look', errors: [...WAY, 'NO_SUCH_RANGE'] },
    { ...CONTENT, permissions: { always: read } },
  ),
  transferOf(
    { method: 'PUT', effect: 'change', errors: [...WAY, ...NEW, 'INVALID_REQUEST', 'CHANGED'] },
    { ...CONTENT, permissions: { creates, replaces }, limits: STREAM },
  ),
  transferOf({ method: 'POST', effect: 'change', errors: PLACED }, UPLOADS),
  transferOf({ method: 'HEAD', effect: 'deed', errors: ['READ_ONLY', ...PLACED] }, UPLOAD),
  transferOf(
    { method: 'PATCH', effect: 'change', errors: [...PLACED, 'WRONG_TYPE', 'WRONG_OFFSET', 'WRONG_CHECKSUM'] },
    { ...UPLOAD, limits: STREAM },
  ),
  transferOf({ method: 'DELETE', effect: 'deed', errors: TUS }, UPLOAD),
  ...(Object.keys(NODE_FILE_CALLS) as NodeFileCall[]).map(rowOf),
]
