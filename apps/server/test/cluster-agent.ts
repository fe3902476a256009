import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { parseKubeconfig } from '../src/adapters/kube/transport/kubeconfig.ts'
import { testFolder } from './test-folder.ts'

const source = join(import.meta.dirname, '../../agent/src/cluster/main.ts')

interface KubeYaml {
  kind: string
  stringData?: Record<string, string>
  [field: string]: unknown
}

/** The objects of a manifest, parsed like kubectl does. */
export const objectsIn = (manifest: string): KubeYaml[] =>
  parseAllDocuments(manifest).map((document) => document.toJS() as KubeYaml)

export const tokenIn = (manifest: string): string =>
  objectsIn(manifest).find(({ kind }) => kind === 'Secret')?.stringData?.['token'] ?? ''

/** The single file that a manifest contains, freshly built. */
export async function builtClusterAgent(): Promise<string> {
  const folder = testFolder('cluster-agent')
  const root = join(import.meta.dirname, '../../..')
  const vite = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', folder, '--logLevel', 'error']
  await promisify(execFile)(process.execPath, vite, { cwd: join(root, 'apps/agent') })
  return join(folder, 'cluster-agent.mjs')
}

export interface ClusterAgent {
  log: () => string
  kill: (signal?: NodeJS.Signals) => Promise<void>
  /** Replaces the service account's token, like the kubelet does. */
  rotate: (token: string) => void
}

/** The API server's address and credentials for the cluster's agent. */
export interface ClusterAccount {
  server: string
  token: string
  ca: string
}

/** From a kubeconfig with a token. */
export function accountIn(kubeconfig: string): ClusterAccount {
  const { server, auth, ca = '' } = parseKubeconfig(readFileSync(kubeconfig, 'utf8'))
  return { server, token: auth.kind === 'token' ? auth.token : '', ca }
}

/** Runs the agent like a pod would, beside its cluster. `program`: the single file. */
export function clusterAgent({
  server,
  token,
  account,
  program = source,
  env = {},
}: {
  server: string
  token: string
  account: ClusterAccount
  program?: string
  env?: Record<string, string>
}): ClusterAgent {
  const home = mkdtempSync(join(tmpdir(), 'gantry-cluster-agent-'))
  const mounted = join(home, 'account')
  mkdirSync(mounted)
  writeFileSync(join(mounted, 'token'), account.token)
  writeFileSync(join(mounted, 'ca.crt'), account.ca)
  writeFileSync(join(home, 'token'), token)
  const child: ChildProcess = spawn(process.execPath, [program], {
    env: {
      GANTRY_SERVER_URL: server,
      GANTRY_AGENT_TOKEN_FILE: join(home, 'token'),
      GANTRY_SERVICE_ACCOUNT: mounted,
      GANTRY_KUBE_SERVER: account.server,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (said += part.toString()))
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    log: () => said,
    rotate: (next) => writeFileSync(join(mounted, 'token'), next),
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal)
      await gone
      rmSync(home, { recursive: true, force: true })
    },
  }
}
