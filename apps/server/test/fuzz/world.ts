import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Endpoint } from '@gantry/contract/endpoint'
import { parseKubeconfig } from '../../src/adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../src/adapters/kube/transport/pool.ts'
import { findEndpoints, findTopics } from '../../src/kernel/find.ts'
import { newToken } from '../../src/identity/sessions.ts'
import { permissionKeys } from '../../src/domains/auth/public.ts'
import { admitLocal } from '../kube-api.ts'
import { newDatabase } from '../new-database.ts'
import { startSandbox } from '../sandbox.ts'
import { startServer } from '../server-process.ts'
import { testFolder } from '../test-folder.ts'
import type { Blocked } from './blocked.ts'
import { type Marks, openOracle } from './oracle.ts'
import { harborOf } from '../simulated-harbor.ts'
import { openOutside } from './outside.ts'
import type { Target } from './runner.ts'

export const firstPassword = 'Tidal-Cobalt-41'

/** Errors that no answer shows, in a websocket or a frame, without failures of outside systems. */
const untoldErrors =
  /^(a websocket could not be served|an upgrade failed|a push frame could not be served|a request failed|a call failed)/

interface Line {
  level?: string
  msg?: string
  blockedMs?: number
  calls?: string[]
  err?: { message?: string; stack?: string }
}

/** Reads the server's log: seconds with a blocked event loop, errors, and secrets. */
export function openListener(marks: Marks) {
  const blocked: Blocked[] = []
  const told: Target['told'] = []
  const oracle = openOracle(marks)
  return {
    blocked,
    told,
    hear: (text: string): void => {
      told.push(...oracle.logged(text))
      let line: Line
      try {
        line = JSON.parse(text) as Line
      } catch {
        return
      }
      const { level, msg = '', blockedMs, calls = [], err } = line
      if (blockedMs !== undefined) blocked.push({ blockedMs, calls })
      if (level === 'fatal' || (level === 'error' && untoldErrors.test(msg)))
        told.push({ rule: 'failure', what: `${msg}: ${err?.stack ?? err?.message ?? text.slice(0, 300)}` })
    },
  }
}

/** Starts a server of its own with everything around it; stopped at the end of the run. */
export async function openWorld(marks: Marks) {
  const [own, other, outside] = await Promise.all([startSandbox(), startSandbox(), openOutside()])
  const folder = testFolder('fuzz')
  const agentToken = newToken('agent')
  const tokenFile = join(folder, 'agent-token')
  writeFileSync(tokenFile, agentToken)
  const program = join(folder, 'agent.mjs')
  writeFileSync(program, '// the program of an agent, which nothing runs here\n')
  const server = await startServer(await newDatabase(), {
    GANTRY_DATA: folder,
    GANTRY_SECRET_KEY: 'a secret key for tests only',
    GANTRY_RATE_LIMIT: 'off',
    GANTRY_REGISTRATION: 'on',
    GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8',
    GANTRY_ADMIN_PASSWORD: firstPassword,
    GANTRY_AGENT_TOKEN_FILE: tokenFile,
    GANTRY_BUILD_AGENT: program,
    GANTRY_CLUSTER_AGENT: program,
    GANTRY_CONSOLE: join(folder, 'no-console'),
    GANTRY_SANDBOX_KUBECONFIG: own.kubeconfig,
    GANTRY_SANDBOX_REGISTRY: `http://${own.registry}`,
    GANTRY_SANDBOX_REGISTRY_KEY_FILE: own.registryKey,
  })
  let gone: string | undefined
  void server.ended.then((code) => (gone = `the process ended with ${code}: ${server.err.join('').slice(0, 2_000)}`))
  const { blocked, told, hear } = openListener(marks)
  const ready = Promise.withResolvers<void>()
  if (server.child.stdout)
    createInterface({ input: server.child.stdout }).on('line', (line) => {
      hear(line)
      if (line.includes('"msg":"ready"')) ready.resolve()
    })
  await Promise.race([
    ready.promise,
    server.ended.then(() => {
      throw new Error(`the server did not start: ${server.err.join('')}`)
    }),
  ])
  const kubeconfig = readFileSync(other.kubeconfig, 'utf8')
  const kube = openKube({ admit: admitLocal })
  const endpoints: Endpoint[] = (await findEndpoints()).map(({ value }) => value)
  const target: Target = {
    origin: server.origin,
    endpoints,
    topics: (await findTopics()).map(({ value }) => value),
    blocked,
    told,
    gone: () => gone,
    permissions: [...(await permissionKeys())],
  }
  return {
    target,
    outside,
    agentToken,
    /** of a cluster that is not added yet */
    kubeconfig,
    /** A client of that cluster without the product. */
    harbor: harborOf(own),
    direct: kube.cluster('direct', parseKubeconfig(kubeconfig)).kube,
    close: async () => {
      server.end('SIGTERM')
      await server.ended
      await Promise.all([kube.close(), own.stop(), other.stop(), outside.close()])
    },
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>
