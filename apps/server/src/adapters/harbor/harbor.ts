import { oldestVersion } from '@gantry/contract/harbor/versions'
import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { type Contents, harborContents } from './contents.ts'
import { harborProjects, type Projects } from './projects.ts'
import { harborReplication, type ReplicationCalls } from './replication.ts'
import { harborRobots, type Robots } from './robots.ts'
import {
  type AskHarbor,
  type HarborAccess,
  type HarborCall,
  harborSession,
  type HarborSettings,
  hostOf,
  parsed,
} from './session.ts'

interface ServerInfo {
  version: string
  readOnly: boolean
  components: { name: string; healthy: boolean; problem: string }[]
  storage: { total: number; free: number } | null
  projects: number
  repositories: number
  used: number
}

/**
 * Harbor 2. Reads end within 5 s. Faults name the cause: `harbor-credentials`, `harbor-not-one`, `harbor-version`,
 * `harbor-not-administrator`, `harbor-forbidden`, `harbor-protected`, `harbor-conflict`, `harbor-refused`,
 * `harbor-error`, `harbor-resting`, `retry-exceeded`, `resource-missing` for what it does not have, and the `outbound-…` ones.
 */
export interface Harbor extends Projects, Contents, Robots, ReplicationCalls {
  /**
   * Whether this is a supported Harbor that lets the account administer it. Makes one attempt, regardless of the
   * breaker, because a user is waiting at a form.
   */
  verify(access: HarborAccess, signal?: AbortSignal): Promise<{ version: string }>
  info(access: HarborAccess, signal?: AbortSignal): Promise<ServerInfo>
}

const General = z.object({ harbor_version: z.string().nullish(), read_only: z.boolean().nullish() })
const CurrentUser = z.object({
  username: z.string(),
  sysadmin_flag: z.boolean().nullish(),
  admin_role_in_auth: z.boolean().nullish(),
})
const Component = z.object({ name: z.string(), status: z.string().nullish(), error: z.string().nullish() })
const Health = z.object({ components: z.array(Component).nullish() })
const count = z.number().nullish()
const Statistics = z.object({
  total_project_count: count,
  total_repo_count: count,
  total_storage_consumption: count,
})
const Volumes = z.object({ storage: z.array(z.object({ total: z.number(), free: z.number() })).nullish() })

const versionOf = (text: string | null | undefined): string => /^v?(\d+\.\d+(?:\.\d+)?)/.exec(text ?? '')?.[1] ?? ''

async function verified(ask: AskHarbor, access: HarborAccess, signal?: AbortSignal): Promise<{ version: string }> {
  const host = hostOf(access)
  const notOne = () => new Fault('invalid', 'harbor-not-one', { host })
  const answered = (call: HarborCall) =>
    ask(access, { ...call, signal }).catch((error: unknown) => {
      if (error instanceof Fault && (error.key === 'resource-missing' || error.key === 'harbor-refused')) throw notOne()
      if (error instanceof Fault && error.key === 'harbor-credentials')
        throw new Fault('invalid', 'harbor-credentials', { host })
      throw error
    })
  const read = <S extends z.ZodType>(answer: Awaited<ReturnType<AskHarbor>>, shape: S): z.infer<S> => {
    try {
      return parsed(answer, shape)
    } catch {
      throw notOne()
    }
  }
  const user = read(await answered({ path: '/users/current' }), CurrentUser)
  if (user.sysadmin_flag !== true && user.admin_role_in_auth !== true)
    throw new Fault('invalid', 'harbor-not-administrator', { host, username: access.username })
  const version = versionOf(read(await answered({ path: '/systeminfo' }), General).harbor_version)
  const [major = 0, minor = 0] = version.split('.').map(Number)
  // newer versions of Harbor 2 are accepted
  if (major !== 2 || minor < oldestVersion)
    throw new Fault('invalid', 'harbor-version', { host, version: version || '–', oldest: `2.${oldestVersion}` })
  return { version }
}

export function createHarbor(outbound: Pick<Outbound, 'requestText'>, settings: HarborSettings = {}): Harbor {
  const ask = harborSession(outbound, settings)
  const impatient = harborSession(outbound, { rests: false, pauses: [] })

  return {
    verify: (access, signal) => verified(impatient, access, signal),

    async info(access, signal) {
      const [general, health, statistics, volumes] = await Promise.all([
        ask(access, { path: '/systeminfo', signal }),
        ask(access, { path: '/health', signal }),
        ask(access, { path: '/statistics', signal }),
        ask(access, { path: '/systeminfo/volumes', signal, accepts: [403, 404] }),
      ])
      const { harbor_version, read_only } = parsed(general, General)
      const figures = parsed(statistics, Statistics)
      const disk = volumes.status === 200 ? parsed(volumes, Volumes).storage?.[0] : undefined
      return {
        version: versionOf(harbor_version),
        readOnly: read_only === true,
        components: (parsed(health, Health).components ?? []).map(({ name, status, error }) => ({
          name,
          healthy: status === 'healthy',
          problem: (error ?? '').slice(0, 300),
        })),
        storage: disk ?? null,
        projects: figures.total_project_count ?? 0,
        repositories: figures.total_repo_count ?? 0,
        used: figures.total_storage_consumption ?? 0,
      }
    },

    ...harborProjects(ask),
    ...harborContents(ask),
    ...harborRobots(ask),
    ...harborReplication(ask),
  }
}
