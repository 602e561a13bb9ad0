// Keys and passwords of one data folder: random, created at the first start, readable only by their owner.
import { randomBytes, randomInt } from 'node:crypto'

import { readPrivately, writePrivately } from './data-folder.mjs'

/** Without characters that are easily confused when typing a password. */
const PASSWORD_ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const password = () => Array.from({ length: 16 }, () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]).join('')
const key = () => randomBytes(32).toString('hex')

/** Name -> how its value is created. Names of a newer version are added to an old file. */
const MAKERS = {
  postgresPassword: key,
  internalSecret: key,
  controlPlaneSecret: key,
  payloadSecret: key,
  // An entry of the key ring that seals secrets in the database: `<id>:<base64 of 32 bytes>`.
  secretsKey: () => `1:${randomBytes(32).toString('base64')}`,
  adminPassword: password,
  supportPassword: password,
  customerPassword: password,
}

/** Reads the secrets of the data folder from `file`, creating missing ones. */
export function loadSecrets(file) {
  const found = readPrivately(file)
  const secrets = { ...Object.fromEntries(Object.entries(MAKERS).map(([name, make]) => [name, make()])), ...found }
  if (Object.keys(MAKERS).some((name) => !(name in found))) writePrivately(file, secrets)
  return secrets
}
