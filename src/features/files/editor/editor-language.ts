import { StreamLanguage } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { endingOf } from '../file-kind.ts'

export type Language = 'properties' | 'yaml' | 'json' | 'toml' | 'xml' | 'lua' | 'javascript' | 'shell' | 'log' | 'text'

const LANGUAGES: Readonly<Record<string, Language>> = {
  properties: 'properties',
  ini: 'properties',
  cfg: 'properties',
  conf: 'properties',
  env: 'properties',
  yml: 'yaml',
  yaml: 'yaml',
  json: 'json',
  json5: 'json',
  toml: 'toml',
  xml: 'xml',
  html: 'xml',
  lua: 'lua',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'javascript',
  sh: 'shell',
  bash: 'shell',
  log: 'log',
}

/** The language of a file by its name. */
export const languageOf = (name: string): Language => LANGUAGES[endingOf(name)] ?? 'text'

/** Each is loaded when a file of its kind is opened. */
const LOADERS: Readonly<Record<Exclude<Language, 'text'>, () => Promise<Extension>>> = {
  properties: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/properties')).properties),
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
  json: async () => (await import('@codemirror/lang-json')).json(),
  toml: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/toml')).toml),
  xml: async () => (await import('@codemirror/lang-xml')).xml(),
  lua: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/lua')).lua),
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript({ typescript: true }),
  shell: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/shell')).shell),
  log: async () => (await import('./log-mode.ts')).log(),
}

/** The support for a language; nothing for plain text. */
export const loadLanguage = async (language: Language): Promise<Extension> =>
  language === 'text' ? [] : LOADERS[language]()
