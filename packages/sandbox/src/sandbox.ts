import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { apiServer } from './api/server.ts'
import { furnishCluster, publishAddress } from './bootstrap.ts'
import type { Cluster } from './cluster.ts'
import type { Config } from './config.ts'
import { controllersOf } from './controllers/all.ts'
import { runControllers } from './controllers/loop.ts'
import { simulatedHarbor } from './harbor/harbor.ts'
import { lock } from './lock.ts'
import { simulatedImages } from './node/images.ts'
import { simulatedPrograms } from './node/programs.ts'
import { registryServer } from './registry/server.ts'
import { sweep } from './registry/storage.ts'
import { openStore } from './store/store.ts'

export interface Sandbox {
  kubeUrl: string
  /** `host:port`, the beginning of image names. */
  registry: string
  kubeconfig: string
  /** The file with the key that signs the registry's tokens. */
  registryKey: string
  token: string
  cluster: Cluster
  /** Ends watches and connections, and closes the journal. */
  stop(): Promise<void>
}

/** Writes a file that only its owner may read, completely or not at all. */
function writePrivate(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
}

/** A secret of this data folder, created at its first start. */
function readOrCreate(path: string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  const secret = randomBytes(24).toString('base64url')
  writePrivate(path, `${secret}\n`)
  return secret
}

const listenOn = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })

/** Listens on the given port; for any port, on the one of the last time, so that addresses survive a restart. */
async function listen(server: Server, host: string, port: number, last: number | undefined): Promise<number> {
  if (port !== 0 || last === undefined) return listenOn(server, host, port)
  try {
    return await listenOn(server, host, last)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return listenOn(server, host, 0)
  }
}

function lastPorts(path: string): { kube?: number; registry?: number } {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { kube?: number; registry?: number }
  } catch {
    return {}
  }
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

const kubeconfigText = (server: string, token: string): string => `# The Gantry sandbox: a simulated cluster.
apiVersion: v1
kind: Config
clusters:
  - name: sandbox
    cluster:
      server: ${server}
users:
  - name: sandbox
    user:
      token: ${token}
contexts:
  - name: sandbox
    context:
      cluster: sandbox
      user: sandbox
current-context: sandbox
`

/** Starts a simulated cluster and its registry in a data folder. */
export async function startSandbox(config: Config, onError: (error: unknown) => void): Promise<Sandbox> {
  const { data, host } = config
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const unlock = lock(join(data, 'sandbox.pid'))
  const token = readOrCreate(join(data, 'token'))
  const registryKey = join(data, 'registry-key')
  const key = readOrCreate(registryKey)
  const storage = { root: join(data, 'registry') }
  sweep(storage, Date.now())
  const store = openStore(join(data, 'objects.journal'))
  let registryPort: number | undefined
  const address = (): { host: string; port: number } | undefined =>
    registryPort === undefined ? undefined : { host, port: registryPort }
  const cluster: Cluster = {
    store,
    now: () => Date.now(),
    images: simulatedImages(storage, address, config.registryCredential),
  }
  furnishCluster(store, cluster.now(), config)

  const programs = simulatedPrograms(cluster)
  const stopping = new AbortController()
  const harbor = simulatedHarbor({ storage, path: join(data, 'harbor.json'), key })
  const accounts = harbor.rightsOf
  const registry = registryServer({ storage, credential: config.registryCredential, key, accounts, harbor, onError })
  const api = apiServer({ cluster, programs, token, stopped: stopping.signal, onError })
  // Watches and uploads have no time limit.
  for (const server of [registry, api]) server.requestTimeout = 0

  const ports = lastPorts(join(data, 'ports.json'))
  registryPort = await listen(registry, host, config.registryPort, ports.registry)
  const loop = runControllers(cluster, controllersOf(programs), onError)
  const kubePort = await listen(api, host, config.kubePort, ports.kube)
  writePrivate(join(data, 'ports.json'), `${JSON.stringify({ kube: kubePort, registry: registryPort })}\n`)
  const kubeUrl = `http://${bracketed(host)}:${kubePort}`
  publishAddress(store, kubeUrl, cluster.now())
  const kubeconfig = join(data, 'kubeconfig')
  writePrivate(kubeconfig, kubeconfigText(kubeUrl, token))

  return {
    kubeUrl,
    registry: `${bracketed(host)}:${registryPort}`,
    kubeconfig,
    registryKey,
    token,
    cluster,
    async stop() {
      loop.stop()
      stopping.abort()
      await Promise.all([api, registry].map(closed))
      store.close()
      unlock()
    },
  }
}

/** Gives running requests one second to finish. */
const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), 1000)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
