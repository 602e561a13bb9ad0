export interface Stores {
  databaseUrl?: string | undefined
  redisUrl?: string | undefined
}
export function reachStores(stores: Stores): Promise<void>
export function checkStores(stores: Stores): Promise<{ isUsed: boolean }>
export function databaseFault(
  row: { version: number; encoding: string; is_read_only: boolean; may_create: boolean },
  where: { place: string; name: string },
): string | undefined
export interface FolderState {
  database?: string
  seeded?: boolean
}
export function claimDatabase(claim: {
  databaseUrl?: string | undefined
  isUsed: boolean
  state: FolderState
}): FolderState
