import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { client, Refusal } from '../client.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Transport } from '../http.ts'
import { type Log, messageOf } from '../log.ts'
import { writeWhole } from '../workspace/workspace.ts'

type Registering = Pick<Config, 'serverUrl' | 'tokenFile' | 'oneTimeToken'>

/**
 * Exchanges the one-time token for a credential, once. The credential is created here and stored before it is sent, so
 * that neither a lost answer nor a kill in between wastes the token. With another token the agent registers anew.
 */
export async function register(
  { serverUrl, tokenFile, oneTimeToken }: Registering,
  transport: Transport,
  log: Log,
): Promise<void> {
  if (oneTimeToken === undefined) {
    if (existsSync(tokenFile)) return
    throw new ConfigError('GANTRY_AGENT_TOKEN is not set: the one-time token that the server shows for a new agent')
  }
  const from = createHash('sha256').update(oneTimeToken).digest('hex')
  const usedFile = `${tokenFile}.from`
  const newFile = `${tokenFile}.new`
  if (existsSync(tokenFile) && existsSync(usedFile) && readFileSync(usedFile, 'utf8') === from) return
  mkdirSync(dirname(tokenFile), { recursive: true, mode: 0o700 })
  if (!existsSync(newFile)) writeWhole(newFile, `ga_${randomBytes(32).toString('base64url')}\n`)
  const { call } = client({
    serverUrl,
    token: () => oneTimeToken,
    transport,
    onTrouble: (_, cause) => log('warn', 'the server does not answer', { error: messageOf(cause) }),
  })
  try {
    const credential = readFileSync(newFile, 'utf8').trim()
    const { name } = await call('register', { body: { token: oneTimeToken, credential } })
    writeWhole(usedFile, from)
    renameSync(newFile, tokenFile)
    log('info', 'the agent is registered', { name })
  } catch (cause) {
    if (cause instanceof Refusal) throw new ConfigError(`GANTRY_AGENT_TOKEN: ${cause.text}`)
    throw cause
  }
}
