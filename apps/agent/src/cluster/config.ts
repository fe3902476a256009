import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError } from '../config.ts'

export interface ClusterConfig {
  /** The URL of the tunnel: ws or wss. */
  tunnel: string
  /** The API server, by its address in every pod: the only target that the server can reach through this agent. */
  api: URL
  tokenFile: string
  /** The folder in which Kubernetes keeps the token and the authority of the pod's service account. */
  account: string
}

type Env = Record<string, string | undefined>

const usualAccount = '/var/run/secrets/kubernetes.io/serviceaccount'

function required(env: Env, name: string, what: string): string {
  const value = env[name]
  if (value === undefined || value === '') throw new ConfigError(`${name} is not set: ${what}`)
  return value
}

/** `path` is the tunnel's path on the server. */
export function readClusterConfig(env: Env, path: string): ClusterConfig {
  const url = URL.parse(required(env, 'GANTRY_SERVER_URL', 'the address of the server'))
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new ConfigError('GANTRY_SERVER_URL must be the address of the server, such as https://gantry.example.com')
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const host = env['KUBERNETES_SERVICE_HOST'] ?? ''
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '443'
  const given = env['GANTRY_KUBE_SERVER'] ?? `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  const api = URL.parse(given)
  if (api === null || !['http:', 'https:'].includes(api.protocol))
    throw new ConfigError('KUBERNETES_SERVICE_HOST is not set: the agent runs in a pod of the cluster')
  return {
    tunnel: url.href.replace(/\/+$/, '') + path,
    api,
    tokenFile: resolve(required(env, 'GANTRY_AGENT_TOKEN_FILE', 'the file with the token of this agent')),
    account: resolve(env['GANTRY_SERVICE_ACCOUNT'] ?? usualAccount),
  }
}

/** This agent's token for the server, read again for each connection: an updated Secret is an updated file. */
export const readAgentToken = ({ tokenFile }: ClusterConfig): string => text(tokenFile)

/** The token and CA of the service account; the kubelet replaces the token about every hour. */
export const readAccount = ({ account }: ClusterConfig): { token: string; ca: string } => ({
  token: text(join(account, 'token')),
  ca: text(join(account, 'ca.crt')),
})

function text(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new ConfigError(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}
