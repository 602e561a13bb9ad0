import type { Usage } from '#contracts/panel/node-files.ts'

/** From this share on the meter warns. */
const NEARLY = 0.9
/** From these tenths of the storage on, the node stops a server whose disk does not refuse what is too much (`agents/quota/exceeded-storage.ts`). */
const STOPPED_TENTHS = 11

/** How full a server's storage is: the page warns before new files are refused, and says when the server cannot run. */
export const usageLevel = ({ bytes, binBytes, limitBytes }: Usage): 'fine' | 'nearly' | 'over' | 'stopped' => {
  if (limitBytes <= 0) return 'fine'
  const used = bytes + binBytes
  // By whole numbers, as the node compares.
  if (used * 10 >= limitBytes * STOPPED_TENTHS) return 'stopped'
  if (used > limitBytes) return 'over'
  return used >= limitBytes * NEARLY ? 'nearly' : 'fine'
}
