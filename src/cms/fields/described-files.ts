import type { TextareaFieldValidation } from 'payload'
import { TemplateFiles } from '#contracts/panel/described-files.ts'
import { textIn, words } from './languages.ts'

/** Signs of the whole description. */
export const MAX_DESCRIPTION = 200_000

/** Blank for JSON, which knows four blanks, and for the view that reads the field. */
const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Refuses descriptions that no form can be made of, and names the first place that is wrong. */
export const refuseBadFiles: TextareaFieldValidation = (value, { req }) => {
  if (value === null || value === undefined || isBlank(value)) return true
  if (value.length > MAX_DESCRIPTION) {
    const sentence = words(
      `This description is longer than ${MAX_DESCRIPTION} characters.`,
      `Ez a leírás hosszabb ${MAX_DESCRIPTION} karakternél.`,
      `Diese Beschreibung ist länger als ${MAX_DESCRIPTION} Zeichen.`,
    )
    return textIn(req.i18n.language, sentence)
  }
  const said = parsed(value)
  if (said === undefined) {
    return textIn(req.i18n.language, words('This is no JSON.', 'Ez nem JSON.', 'Das ist kein JSON.'))
  }
  const issue = TemplateFiles.safeParse(said).error?.issues[0]
  if (issue === undefined) return true
  const place = `${issue.path.join('.')}: ${issue.message}`.slice(0, 160)
  const sentence = words(
    `This description can't be used: ${place}`,
    `Ez a leírás nem használható: ${place}`,
    `Diese Beschreibung lässt sich nicht verwenden: ${place}`,
  )
  return textIn(req.i18n.language, sentence)
}
