import * as z from 'zod'
import { isNewName, nameOf, partsOfPath } from './file-path.ts'

export const FilePath = z.string().refine((path) => partsOfPath(path) !== undefined, 'not a path')
/** The path of something in the folder, and not of the folder itself. */
export const InnerPath = FilePath.refine((path) => path !== '', 'the folder itself')
/** As `InnerPath`, for something that is to be made: on one line, without blanks at the ends of its name. */
export const NewPath = InnerPath.refine((path) => isNewName(nameOf(path)), 'not a name')
