import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { clusterRules } from '@gantry/agent-protocol/cluster-role'

const lab = process.env['GANTRY_LAB'] ?? join(import.meta.dirname, '../../../../shared')
const kube = join(lab, 'kube/kube')
const run = promisify(execFile)

/** The reason why no real cluster can be tested here; '' if one can. */
export const whyNoKube = existsSync(kube) ? '' : 'needs the lab’s kube'

/** Images of the lab's cluster: one with a shell, and one that listens on port 8080. */
export const images = { shell: 'localhost/busybox:1', web: 'localhost/web:1' }

export interface Namespace {
  name: string
  kubectl: (args: string[], input?: object) => Promise<string>
  /** Applies a manifest, like somebody who was given its lines. */
  apply: (manifest: string) => Promise<string>
  /** Creates a volume for a later claim, because nothing in the lab's cluster creates volumes by itself. */
  volume: (claim: string) => Promise<void>
  /** The agent's environment, except the address of its server. */
  environment: Record<string, string>
  /** The Jobs, pods and Secrets that the agent's jobs have left. */
  rests: () => Promise<string>
  /** Replaces the quota. */
  quota: (hard: Record<string, string> | undefined) => Promise<void>
  /** Makes a server, and the agent's program, available at an address that pods can reach. */
  serve: (origin: string) => Promise<string>
  close: () => Promise<void>
}

/** A separate namespace in the lab's cluster, with the rights of an agent and an image for agents. */
export async function ownNamespace(): Promise<Namespace> {
  const ask = (...words: string[]): string =>
    execFileSync(kube, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const told = ask(
    /^\S+ down$/m.test(ask('status').replaceAll(/^(kwok|traefik|local-path\S*|policies) down$/gm, '')) ? 'up' : 'env',
  )
  const value = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(told)?.[1] ?? ''
  const [kubeconfig, bin] = [value('KUBECONFIG'), value('KUBE_BIN')]
  const name = `gantry-agent-${randomBytes(4).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), 'gantry-kube-'))

  async function kubectl(args: string[], input?: object | string): Promise<string> {
    const running = run(join(bin, 'kubectl'), ['--kubeconfig', kubeconfig, '--namespace', name, ...args])
    running.child.stdin?.end(typeof input === 'object' ? JSON.stringify(input) : input)
    return (await running).stdout.trim()
  }
  const apply = (object: object | string): Promise<string> => kubectl(['apply', '-f', '-'], object)
  const rbac = 'rbac.authorization.k8s.io'
  const metadata = { name: 'agent' }
  await kubectl(['create', 'namespace', name])
  await apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  await apply({ apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules: clusterRules })
  await apply({
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'agent' },
    subjects: [{ kind: 'ServiceAccount', name: 'agent' }],
  })
  const config = JSON.parse(await kubectl(['config', 'view', '--raw', '-o', 'json'])) as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[]
  }
  const cluster = config.clusters[0]?.cluster
  const account = join(folder, 'account')
  mkdirSync(account)
  writeFileSync(join(account, 'namespace'), name)
  writeFileSync(join(account, 'token'), await kubectl(['create', 'token', 'agent', '--duration', '2h']))
  writeFileSync(join(account, 'ca.crt'), Buffer.from(cluster?.['certificate-authority-data'] ?? '', 'base64'))
  const program = await builtAgent(folder)
  const image = await agentImage(kubectl)
  const closers: (() => void)[] = []

  return {
    name,
    kubectl,
    apply,
    async volume(claim) {
      const path = join(folder, claim)
      mkdirSync(path)
      // fsGroup does not apply to folders of a host
      chmodSync(path, 0o777)
      await apply({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'local',
          claimRef: { namespace: name, name: claim },
          hostPath: { path },
        },
      })
    },
    environment: {
      GANTRY_AGENT_EXECUTOR: 'kubernetes',
      GANTRY_AGENT_IMAGE: image,
      GANTRY_KUBE_SERVER: cluster?.server ?? '',
      GANTRY_SERVICE_ACCOUNT: account,
      GANTRY_AGENT_BUILD_CPU_MILLIS: '50',
      GANTRY_AGENT_BUILD_MEMORY_MB: '64',
      GANTRY_AGENT_BUILD_DISK_MB: '256',
      GANTRY_AGENT_SERVICE_MEMORY_MB: '32',
    },
    async rests() {
      const all = await kubectl(['get', 'jobs,pods,secrets', '--output', 'name'])
      return all
    },
    async quota(hard) {
      await kubectl(['delete', 'resourcequota', '--all'])
      if (hard) await apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team' }, spec: { hard } })
    },
    async serve(origin) {
      const host = await kubectl([
        'get',
        'node',
        'kube-node',
        '-o',
        'jsonpath={.status.addresses[?(@.type=="InternalIP")].address}',
      ])
      const server = createServer((asked, answer) => {
        if (asked.url === '/api/agent/gantry-agent.mjs') return answer.end(readFileSync(program))
        const { method, headers, url } = asked
        const on = request(new URL(url ?? '', origin), { method, headers }, (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers)
          response.pipe(answer)
        })
        on.on('error', () => answer.destroy())
        answer.on('close', () => on.destroy())
        asked.pipe(on)
      })
      server.on('upgrade', ({ method, url, rawHeaders }, socket) => {
        const { hostname, port } = new URL(origin)
        const on = connect(Number(port), hostname)
        for (const end of [socket, on]) end.on('error', () => socket.destroy())
        const lines = Array.from({ length: rawHeaders.length / 2 }, (_, at) =>
          rawHeaders.slice(at * 2, at * 2 + 2).join(': '),
        )
        on.write(`${[`${method} ${url} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
        socket.pipe(on).pipe(socket)
      })
      await new Promise<void>((done) => server.listen(0, host, done))
      closers.push(() => {
        server.close()
        server.closeAllConnections()
      })
      return `http://${host}:${(server.address() as AddressInfo).port}`
    },
    async close() {
      for (const close of closers) close()
      rmSync(folder, { recursive: true, force: true })
      await kubectl(['delete', 'namespace', name, '--wait=false'])
      await kubectl(['delete', 'persistentvolume', name, '--ignore-not-found', '--wait=false'])
    },
  }
}

async function builtAgent(folder: string): Promise<string> {
  const root = join(import.meta.dirname, '../../..')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const words = [vite, 'build', '--mode', 'build', '--outDir', join(folder, 'program'), '--logLevel', 'error']
  await run(process.execPath, words, { cwd: join(root, 'apps/agent') })
  return join(folder, 'program/agent.mjs')
}

/** The least that the manual requires of an image for an agent: node, git, curl, and a shell with its tools. */
async function agentImage(kubectl: Namespace['kubectl']): Promise<string> {
  const name = `localhost/gantry-agent:${process.versions.node}-git-curl`
  const known = await kubectl(['get', 'nodes', '-o', 'jsonpath={.items[*].status.images[*].names[*]}'])
  if (known.split(' ').includes(name)) return name
  const root = mkdtempSync(join(tmpdir(), 'gantry-agent-image-'))
  try {
    const put = (from: string, to: string): void => {
      mkdirSync(dirname(join(root, to)), { recursive: true })
      cpSync(realpathSync(from), join(root, to))
    }
    const program = async (from: string, to: string): Promise<void> => {
      put(from, to)
      const { stdout } = await run('ldd', [from])
      for (const [, path = ''] of stdout.matchAll(/(?:=> |^\s*)(\/\S+) \(/gm)) put(path, path)
    }
    await program(process.execPath, '/usr/local/bin/node')
    await program('/usr/bin/curl', '/usr/bin/curl')
    const helpers = (await run('git', ['--exec-path'])).stdout.trim()
    await program(join(helpers, 'git'), '/usr/bin/git')
    mkdirSync(join(root, helpers), { recursive: true })
    // git starts itself from there
    symlinkSync('/usr/bin/git', join(root, helpers, 'git'))
    await program(join(helpers, 'git-remote-http'), join(helpers, 'git-remote-http'))
    mkdirSync(join(root, 'bin'), { recursive: true })
    copyFileSync('/bin/busybox', join(root, 'bin/busybox'))
    for (const applet of execFileSync('/bin/busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n'))
      if (applet !== 'busybox') symlinkSync('busybox', join(root, 'bin', applet))
    mkdirSync(join(root, 'tmp'))
    chmodSync(join(root, 'tmp'), 0o1777)
    chmodSync(root, 0o755)
    await run(kube, ['image', name, root, 'node'])
  } finally {
    rmSync(root, { recursive: true })
  }
  return name
}
