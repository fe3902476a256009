import { homedir } from 'node:os'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'

export interface Config {
  data: string
  host: string
  /** 0: the ports of the last time if they are free, otherwise any. */
  kubePort: number
  registryPort: number
  registryCredential: { username: string; password: string } | undefined
  /** Whether a new cluster has a class of the Gateway API besides the one for ingresses. */
  gatewayClass: boolean
  /** The sandbox ends when this process does. */
  parentPid: number | undefined
}

export class ConfigError extends Error {}

type Env = NodeJS.Dict<string>

function number(env: Env, name: string, most: number): number | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (!/^\d+$/.test(text) || Number(text) > most) throw new ConfigError(`${name} must be a number from 0 to ${most}`)
  return Number(text)
}

/** The value of the variable, or the first line of the file that `<name>_FILE` names. */
function secret(env: Env, name: string): string | undefined {
  const file = env[`${name}_FILE`]
  if (!file) return env[name] || undefined
  try {
    return readFileSync(file, 'utf8').split('\n')[0]
  } catch (error) {
    throw new ConfigError(`${name}_FILE: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function readConfig(env: Env): Config {
  const username = secret(env, 'SANDBOX_REGISTRY_USER')
  const password = secret(env, 'SANDBOX_REGISTRY_PASSWORD')
  if ((username === undefined) !== (password === undefined))
    throw new ConfigError('SANDBOX_REGISTRY_USER and SANDBOX_REGISTRY_PASSWORD belong together: set both or neither')
  return {
    data: env['SANDBOX_DATA'] || join(homedir(), '.local/share/gantry/sandbox'),
    host: env['SANDBOX_HOST'] || '127.0.0.1',
    kubePort: number(env, 'SANDBOX_KUBE_PORT', 65_535) ?? 0,
    registryPort: number(env, 'SANDBOX_REGISTRY_PORT', 65_535) ?? 0,
    registryCredential: username !== undefined && password !== undefined ? { username, password } : undefined,
    gatewayClass: env['SANDBOX_GATEWAY_CLASS'] === 'on',
    parentPid: number(env, 'SANDBOX_PARENT_PID', 2 ** 31),
  }
}
