import { readFile } from 'node:fs/promises'

/** The text of a file, or undefined if it cannot be read. */
export const readText = (file: string): Promise<string | undefined> => readFile(file, 'latin1').catch(() => undefined)
