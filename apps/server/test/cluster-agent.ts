import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { parseKubeconfig } from '../src/adapters/kube/kubeconfig.ts'

const source = join(import.meta.dirname, '../../agent/src/cluster/main.ts')

interface KubeYaml {
  kind: string
  stringData?: Record<string, string>
  [field: string]: unknown
}

/** The objects of a manifest, as kubectl reads them. */
export const objectsIn = (manifest: string): KubeYaml[] =>
  parseAllDocuments(manifest).map((document) => document.toJS() as KubeYaml)

export const tokenIn = (manifest: string): string =>
  objectsIn(manifest).find(({ kind }) => kind === 'Secret')?.stringData?.['token'] ?? ''

export interface ClusterAgent {
  log: () => string
  kill: (signal?: NodeJS.Signals) => Promise<void>
  /** Puts another token of the service account where the kubelet would. */
  rotate: (token: string) => void
}

/** The agent as a pod would run it, beside a cluster that a kubeconfig with a token leads to. `program`: the one file. */
export function clusterAgent({
  server,
  token,
  kubeconfig,
  program = source,
  account: given,
  env = {},
}: {
  server: string
  token: string
  kubeconfig: string
  program?: string
  account?: { token: string; ca: string }
  env?: Record<string, string>
}): ClusterAgent {
  const home = mkdtempSync(join(tmpdir(), 'gantry-cluster-agent-'))
  const api = parseKubeconfig(readFileSync(kubeconfig, 'utf8'))
  const account = join(home, 'account')
  mkdirSync(account)
  const own = api.auth.kind === 'token' ? api.auth.token : ''
  writeFileSync(join(account, 'token'), given?.token ?? own)
  writeFileSync(join(account, 'ca.crt'), given?.ca ?? api.ca ?? '')
  writeFileSync(join(home, 'token'), token)
  const child: ChildProcess = spawn(process.execPath, [program], {
    env: {
      GANTRY_SERVER_URL: server,
      GANTRY_AGENT_TOKEN_FILE: join(home, 'token'),
      GANTRY_SERVICE_ACCOUNT: account,
      GANTRY_KUBE_SERVER: api.server,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (said += part.toString()))
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    log: () => said,
    rotate: (next) => writeFileSync(join(account, 'token'), next),
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal)
      await gone
      rmSync(home, { recursive: true, force: true })
    },
  }
}
