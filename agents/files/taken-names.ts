import type { TakenName } from '#contracts/panel/node-files.ts'
import { besideTaken, type Placed } from './beside-taken.ts'
import type { Bin } from './bin.ts'
import { refusalOf } from './file-failure.ts'

/** The person's choice for a name that is taken, and the storage that bounds the bin. */
export interface Wish {
  readonly taken: TakenName
  readonly limitBytes: number
}

/** Gives finished things their place as their person has chosen. */
export class TakenNames {
  readonly #bin: Pick<Bin, 'exchange'>

  constructor(bin: Pick<Bin, 'exchange'>) {
    this.#bin = bin
  }

  /**
   * Calls `place`, which refuses a path that is taken, with the path of the wish. Throws as `place`; `BIN_TOO_SMALL` if the old thing does
   * not fit into the bin, and stays.
   */
  async place<Result>(
    path: string,
    { taken, limitBytes }: Wish,
    place: (path: string) => Promise<Result>,
  ): Promise<Placed<Result>> {
    if (taken === 'number') return besideTaken(path, place)
    try {
      return { path, result: await place(path) }
    } catch (error) {
      if (taken === 'refuse' || refusalOf(error) !== 'ALREADY_EXISTS') throw error
      return { path, result: await this.#bin.exchange(path, limitBytes, () => place(path)) }
    }
  }
}
