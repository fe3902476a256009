import { totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { type DataFolder, keep, randomToken } from './data-folder.ts'
import { forOthers, forServer } from './environment.ts'
import { nodePart } from './node-part.ts'
import type { Output } from './output.ts'
import { choosePort } from './ports.ts'
import type { Settings, Variables } from './settings.ts'
import type { Part } from './supervisor.ts'

const root = join(import.meta.dirname, '../../..')

/** The main files of the parts; tests replace them with small ones. */
export interface Entrypoints {
  server: string
  agent: string
  sandbox: string
  /** Checks the server's variables and exits. */
  checkConfig: string
  /** Runs a command of `npm run admin` and exits. */
  admin: string
}

export const mains: Entrypoints = {
  server: join(root, 'apps/server/src/main.ts'),
  agent: join(root, 'apps/agent/src/main.ts'),
  sandbox: join(root, 'packages/sandbox/src/main.ts'),
  checkConfig: join(root, 'apps/server/src/check-config.ts'),
  admin: join(root, 'apps/server/src/admin.ts'),
}

/** As start.mjs bundles them: see apps/server/vite.config.ts. */
export const bundles: Entrypoints = { ...mains, server: join(root, 'apps/server/dist/main.mjs') }

/** What every part is created from. */
export interface PartContext {
  settings: Settings
  env: Variables
  folder: DataFolder
  output: Output
  mains: Entrypoints
  development: boolean
}

export interface SandboxAddress {
  kubePort: string
  registryPort: string
}

const sandboxHost = '127.0.0.1'

/** The sandbox writes this file when it is ready; the server reads it. */
export const sandboxKubeconfig = (folder: DataFolder): string => join(folder.sandbox, 'kubeconfig')

/** Chosen once and stored, because the names of images and the kubeconfig contain the ports. */
export const sandboxAddress = async ({ settings, folder }: PartContext): Promise<SandboxAddress> => {
  const kept = async (name: string, spoken: number[]): Promise<string> => {
    const free = await choosePort(sandboxHost, spoken)
    return keep(join(folder.run, name), () => String(free))
  }
  const kubePort = await kept('sandbox-kube-port', [settings.port])
  return { kubePort, registryPort: await kept('sandbox-registry-port', [settings.port, Number(kubePort)]) }
}

export const sandboxPart = ({ env, folder, output, mains }: PartContext, address: SandboxAddress): Part => {
  keepRegistryKey(folder)
  return nodePart(folder, output, {
    name: 'sandbox',
    main: mains.sandbox,
    flags: ['--max-old-space-size=256', '--max-semi-space-size=2'],
    env: forOthers(env, {
      SANDBOX_DATA: folder.sandbox,
      SANDBOX_HOST: sandboxHost,
      SANDBOX_KUBE_PORT: address.kubePort,
      SANDBOX_REGISTRY_PORT: address.registryPort,
      SANDBOX_GATEWAY_CLASS: 'on',
    }),
    mustStart: false,
    graceMs: 1_000,
    readyFile: sandboxKubeconfig(folder),
  })
}

/**
 * A quarter of this machine's or container's memory, or half of it divided among several servers: for hundreds of
 * clusters; an idle server needs far less.
 */
const serverHeapMb = (servers: number): number => {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  return Math.min(Math.max(Math.floor(bytes / Math.max(4, 2 * servers) / 1024 ** 2), 256), 4096)
}

/** `server`, `server-2`, `server-3`, …: names of parts, and of their files. */
const serverName = (index: number): string => (index === 0 ? 'server' : `server-${index + 1}`)

export interface ServerPlace {
  databaseUrl: string
  sandbox: SandboxAddress | undefined
  /** 0 is the server that the product cannot run without; others are further processes on the same port. */
  index: number
}

export const serverPart = (
  { settings, env, folder, output, mains, development }: PartContext,
  { databaseUrl, sandbox, index }: ServerPlace,
): Part => {
  const name = serverName(index)
  const readyFile = join(folder.run, `${name}.ready`)
  return nodePart(folder, output, {
    name,
    main: mains.server,
    flags: [
      `--max-old-space-size=${serverHeapMb(settings.servers)}`,
      '--max-semi-space-size=8',
      // it would collect the whole heap every two minutes of an idle server, and give nothing back
      '--no-memory-reducer',
      // the server does so itself when nobody calls: apps/server/src/http/quiet.ts
      '--expose-gc',
      ...(development ? ['--watch'] : []),
    ],
    env: forServer(env, {
      DATABASE_URL: databaseUrl,
      GANTRY_HOST: settings.host,
      GANTRY_PORT: String(settings.port),
      GANTRY_DATA: folder.root,
      GANTRY_AGENT_TOKEN_FILE: keepAgentToken(folder),
      GANTRY_READY_FILE: readyFile,
      ...(settings.servers > 1 && { GANTRY_SHARES_PORT: 'on' }),
      ...(sandbox && {
        GANTRY_SANDBOX_KUBECONFIG: sandboxKubeconfig(folder),
        GANTRY_SANDBOX_REGISTRY: `http://${sandboxHost}:${sandbox.registryPort}`,
        GANTRY_SANDBOX_REGISTRY_KEY_FILE: keepRegistryKey(folder),
      }),
    }),
    mustStart: index === 0,
    // The server's own limit is one second less. All limits together are the 25 s of product.ts.
    graceMs: 17_000,
    readyFile,
  })
}

export const agentPart = (
  { settings, env, folder, output, mains }: PartContext,
  sandbox: SandboxAddress | undefined,
): Part =>
  nodePart(folder, output, {
    name: 'agent',
    main: mains.agent,
    flags: ['--max-old-space-size=256', '--max-semi-space-size=2'],
    env: forOthers(env, {
      GANTRY_SERVER_URL: settings.localUrl,
      GANTRY_AGENT_TOKEN_FILE: keepAgentToken(folder),
      GANTRY_AGENT_DIR: folder.agent,
      // the agent hides this folder from the steps that it runs
      GANTRY_DATA: folder.root,
      // Steps have their own network. These tell the agent which addresses of this machine they may reach nevertheless.
      GANTRY_PUBLIC_URL: settings.publicUrl,
      ...(env['GANTRY_OUTBOUND_ALLOW'] && { GANTRY_OUTBOUND_ALLOW: env['GANTRY_OUTBOUND_ALLOW'] }),
      ...(sandbox && {
        GANTRY_AGENT_REACH: [env['GANTRY_AGENT_REACH'], `${sandboxHost}:${sandbox.registryPort}`]
          .filter(Boolean)
          .join(),
      }),
      ...(env['GANTRY_CA_FILE'] && { GANTRY_CA_FILE: resolve(env['GANTRY_CA_FILE']) }),
      // here the server's certificate may be self-signed, so it is trusted as an authority
      ...(settings.tls && { NODE_EXTRA_CA_CERTS: settings.tls.certificateFile }),
    }),
    mustStart: false,
    graceMs: 4_000,
  })

/** The address in apps/console/vite.config.ts. */
export const consoleUrl = 'http://127.0.0.1:5173'

/** Only in development: serves the console from its sources, and passes calls on to the server. */
export const consolePart = ({ settings, env, folder, output }: PartContext): Part =>
  nodePart(folder, output, {
    name: 'console',
    main: join(root, 'node_modules/vite/bin/vite.js'),
    args: ['--config', join(root, 'apps/console/vite.config.ts'), '--clearScreen', 'false'],
    flags: [],
    env: forServer(env, { GANTRY_DEV_SERVER: settings.localUrl }),
    mustStart: false,
    graceMs: 1_000,
  })

/** The key that signs tokens of the sandbox's registry: the sandbox finds the file, and the server gets its path. */
const keepRegistryKey = (folder: DataFolder): string => {
  const file = join(folder.sandbox, 'registry-key')
  keep(file, randomToken)
  return file
}

const keepAgentToken = (folder: DataFolder): string => {
  keep(folder.agentTokenFile, randomToken)
  return folder.agentTokenFile
}
