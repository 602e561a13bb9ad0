import type { TextareaFieldValidation } from 'payload'
import { TemplateFiles } from '#contracts/panel/described-files.ts'
import { textIn, words } from './languages.ts'

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Refuses descriptions that no form can be made of, and names the first place that is wrong. */
export const refuseBadFiles: TextareaFieldValidation = (value, { req }) => {
  if (value === null || value === undefined || value.trim() === '') return true
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
