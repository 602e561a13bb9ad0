import { folderOf, joinPath, nameOf, numberedName } from '#contracts/panel/file-path.ts'
import { refusalOf } from './file-failure.ts'

/** A name that is taken gets a number, as often as this. */
const MOST_NUMBERS = 50

/** What was placed, and its path. */
export interface Placed<Result> {
  readonly path: string
  readonly result: Result
}

/**
 * Calls `place` with the path, and with numbered ones beside it as long as something has them. Throws `ALREADY_EXISTS` if that never
 * ends, and everything else that `place` throws.
 */
export const besideTaken = async <Result>(
  path: string,
  place: (path: string) => Promise<Result>,
): Promise<Placed<Result>> => {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? path : joinPath(folderOf(path), numberedName(nameOf(path), number))
    try {
      return { path: free, result: await place(free) }
    } catch (error) {
      if (refusalOf(error) !== 'ALREADY_EXISTS' || number === MOST_NUMBERS) throw error
    }
  }
}
