export interface Stores {
  databaseUrl?: string | undefined
  redisUrl?: string | undefined
}
export function reachStores(stores: Stores): Promise<void>
export function checkStores(stores: Stores): Promise<void>
export function databaseFault(
  row: { version: number; encoding: string; is_read_only: boolean; may_create: boolean },
  where: { place: string; name: string },
): string | undefined
