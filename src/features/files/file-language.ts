import { endingOf } from './file-kind.ts'

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
