import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { CallInput, Endpoint } from '@gantry/contract/endpoint'
import { helmRepositories } from '@gantry/contract/helm/repositories'
import { afterAll } from 'vitest'
import type { z } from 'zod'
import { createCharts } from '../src/adapters/helm/charts.ts'
import { createHelm } from '../src/adapters/helm/helm.ts'
import { createOutbound } from '../src/adapters/outbound/outbound.ts'
import { createRegistry } from '../src/adapters/registry/registry.ts'
import { labService } from './lab.ts'
import { testFolder } from './test-folder.ts'

/** The helm program: GANTRY_HELM, the one on PATH, or the lab's; undefined if there is none, so a suite can skip. */
export function helmProgram(): string | undefined {
  const given = process.env['GANTRY_HELM']
  if (given !== undefined && existsSync(given)) return given
  try {
    return execFileSync('sh', ['-c', 'command -v helm'], { encoding: 'utf8' }).trim()
  } catch {
    return labService('helm')?.['HELM_BIN']
  }
}

/** A caller of these tests or of the browser stories. */
interface Caller {
  call: <E extends Endpoint>(e: E, input: CallInput<E>) => Promise<z.output<E['data']>>
}

/** Ports with which a server runs charts from this machine by this program, each run with its own home in a folder. */
export function helmPorts(program: string | undefined, folder = testFolder('helm')) {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  afterAll(() => outbound.close())
  const charts = createCharts(outbound, createRegistry(outbound))
  return { outbound, charts, helm: createHelm({ program, path: '', folder }) }
}

/** Adds a repository for a team; returns its id. */
export async function addRepository({ admin }: { admin: Caller }, teamId: number, url: string): Promise<number> {
  const { id } = await admin.call(helmRepositories.create, { body: { name: `charts ${teamId}`, url } })
  await admin.call(helmRepositories.assign, { params: { helmId: id }, body: { teams: [teamId] } })
  return id
}
