import type { MailPageProps } from './mail-words.ts'

/** The mail for programs that show no HTML. */
export function mailText({ body, frame, facts }: MailPageProps): string {
  const action = body.action ? [`${body.action.label}:\n${facts.siteUrl}${body.action.path}`] : []
  const code = body.code === undefined ? [] : [`    ${body.code}`]
  const log = body.log ? [`${body.log.title}:\n${body.log.lines.map((line) => `    ${line}`).join('\n')}`] : []
  const cut = body.cut === undefined ? [] : [body.cut]
  const letters = (body.letters ?? []).flatMap(({ from, text, files }) => [
    `${from}:\n\n${text}`,
    ...(files === undefined ? [] : [files]),
  ])
  const parts = [...cut, body.title, ...body.before, ...code, ...letters, ...action, ...log, ...body.after]
  return [...parts, '-- ', body.foot ?? frame.foot].join('\n\n') + '\n'
}
