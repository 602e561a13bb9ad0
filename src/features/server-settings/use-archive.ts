'use client'
import { saveAddress } from '@/lib/browser-client/save-file.ts'
import { useMutation } from '@tanstack/react-query'
import { ArchiveAccess } from '#contracts/http/server.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { nodeAddress } from '@/lib/servers/node-address.ts'

/** The obstacles of an archive download that the node reports. */
export const archiveTroubles = ['away', 'busy', 'stopping', 'gone', 'refused'] as const
export type ArchiveTrouble = (typeof archiveTroubles)[number]

/** The node did not confirm that it would send the archive. */
export class ArchiveFailure extends Error {
  override readonly name = 'ArchiveFailure'
  readonly trouble: ArchiveTrouble

  constructor(trouble: ArchiveTrouble) {
    super(trouble)
    this.trouble = trouble
  }
}

const LOOK_MS = 10_000
const troubles: Readonly<Record<number, ArchiveTrouble>> = { 404: 'gone', 409: 'stopping', 503: 'busy' }

/** The archive's address, with the token. */
export const archiveAddress = (
  { token, ...at }: Pick<ArchiveAccess, 'url' | 'path' | 'token'>,
  page: string,
): string => {
  const address = nodeAddress(at, page)
  address.search = new URLSearchParams({ token }).toString()
  return address.href
}

/**
 * Sends HEAD, which does not use the token up: a refusal can then be shown in the page, which the download itself would
 * leave. Undefined if the node would send the archive.
 */
export const lookAtArchive = async (
  address: string,
  ask: (address: string, options: RequestInit) => Promise<Pick<Response, 'ok' | 'status'>> = fetch,
): Promise<ArchiveTrouble | undefined> => {
  try {
    const options = { method: 'HEAD', credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' } as const
    const answer = await ask(address, { ...options, signal: AbortSignal.timeout(LOOK_MS) })
    return answer.ok ? undefined : (troubles[answer.status] ?? 'refused')
  } catch {
    return 'away'
  }
}

/** Downloads the archive of an expired server; resolves with the file's name when the download has begun. */
export const useArchive = (serverId: string) =>
  useMutation({
    mutationFn: async () => {
      const path = `/api/server/${encodeURIComponent(serverId)}/archive`
      const access = await api.call(path, { method: 'POST', schema: ArchiveAccess })
      const address = archiveAddress(access, window.location.href)
      const trouble = await lookAtArchive(address)
      if (trouble !== undefined) throw new ArchiveFailure(trouble)
      saveAddress(address)
      return access.fileName
    },
  })
