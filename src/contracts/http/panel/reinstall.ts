import * as z from 'zod'

/** The fate of the files: the installation runs over them, or everything but the bin is removed first. */
export const REINSTALL_FILES = ['keep', 'wipe'] as const

/** `name` is the server's present name, typed by the person: a page of another server's cannot send it by mistake. */
export const ReinstallRequest = z.object({ name: z.string().max(100), files: z.enum(REINSTALL_FILES) })
export type ReinstallRequest = z.infer<typeof ReinstallRequest>

export const ReinstallAnswer = z.object({ accepted: z.literal(true) })
