'use client'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { MAX_LISTED } from '#contracts/panel/node-files.ts'
import { BETWEEN_PARTS_MS } from '#contracts/panel/uploads.ts'
import type { NodeFileCall, NodeFileInput } from '#contracts/panel/node-files.ts'
import type { Files } from './files-context.tsx'
import { FileTrouble } from './file-trouble.ts'

export const ORDERS = ['name', 'size', 'time'] as const
export type Order = { readonly by: (typeof ORDERS)[number]; readonly descending: boolean }

const HEAL_MS = 10_000

/** Everything about the files of one server. */
export const filesKey = (serverId: string) => ['files', serverId] as const

/** A node that is away is asked again by itself; a refusal stays one. */
const heal = (query: { state: { error: unknown } }): number | false =>
  query.state.error instanceof FileTrouble && query.state.error.code === 'AWAY' ? HEAL_MS : false

const noRetry = { retry: false, staleTime: 5_000, refetchInterval: heal } as const

export const folderQuery = ({ server, node }: Files, path: string, { by, descending }: Order) =>
  infiniteQueryOptions({
    queryKey: [...filesKey(server.id), 'folder', path, by, descending],
    queryFn: ({ pageParam, signal }) =>
      node.call('list', { path, from: pageParam, limit: MAX_LISTED, order: by, descending }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const listed = pages.reduce((sum, page) => sum + page.entries.length, 0)
      return listed < total && pages.at(-1)?.entries.length !== 0 ? listed : undefined
    },
    ...noRetry,
  })

export const binQuery = ({ server, node }: Files) =>
  queryOptions({
    queryKey: [...filesKey(server.id), 'bin'],
    queryFn: ({ signal }) => node.call('bin', {}, signal),
    ...noRetry,
  })

export const usageQuery = ({ server, node }: Files) =>
  queryOptions({
    queryKey: [...filesKey(server.id), 'usage'],
    queryFn: ({ signal }) => node.call('usage', {}, signal),
    ...noRetry,
    // No bytes: not measured yet, which takes the node a moment.
    refetchInterval: ({ state }) => (state.data?.bytes === 0 ? 3_000 : 30_000),
  })

/** Where SFTP is: on the node, at its own port. */
export const sftpQuery = ({ server, node }: Files) =>
  queryOptions({
    queryKey: [...filesKey(server.id), 'sftp'],
    queryFn: async ({ signal }) => ({ ...(await node.call('sftp', {}, signal)), host: await node.host() }),
    ...noRetry,
  })

const BUSY_MS = 1_000
const QUIET_MS = 20_000
const ARRIVING_MS = 3_000

/** While something runs, its progress; otherwise now and then what others have begun. */
export const jobsQuery = ({ server, node }: Files) =>
  queryOptions({
    queryKey: [...filesKey(server.id), 'jobs'],
    queryFn: ({ signal }) => node.call('jobs', { deletionJobs: true }, signal),
    retry: false,
    refetchInterval: ({ state: { data } }) =>
      data?.jobs.some(({ state }) => state === 'running' || state === 'waiting') ? BUSY_MS : QUIET_MS,
  })

/** Uploads of everybody that are not complete; asked more often while one of the reader's arrives by another browser. */
export const openUploadsQuery = ({ server, node }: Files) =>
  queryOptions({
    queryKey: [...filesKey(server.id), 'open-uploads'],
    queryFn: ({ signal }) => node.call('open-uploads', {}, signal),
    retry: false,
    refetchInterval: ({ state: { data } }) =>
      data?.uploads.some(({ isArriving, idleMs }) => isArriving || idleMs < BETWEEN_PARTS_MS) ? ARRIVING_MS : QUIET_MS,
  })

export const searchQuery = ({ server, node }: Files, asked: { path: string; name: string; content: string }) =>
  queryOptions({
    queryKey: [...filesKey(server.id), 'search', asked.path, asked.name, asked.content],
    queryFn: ({ signal }) => node.call('search', asked, signal),
    enabled: asked.name !== '' || asked.content !== '',
    ...noRetry,
  })

/** One call that changes something; every list of the server is read again afterwards. */
export const useFileCall = <Call extends NodeFileCall>({ server, node }: Files, call: Call) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: NodeFileInput<Call>) => node.call(call, input),
    onSettled: () => client.invalidateQueries({ queryKey: filesKey(server.id) }),
  })
}
