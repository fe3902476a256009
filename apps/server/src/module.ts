import { join, sep } from 'node:path'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { DecisionSource } from './db/decisions.ts'
import type { Source } from './db/search.ts'
import type { Db } from './db/tables.gen.ts'
import type { Routes } from './http/route.ts'
import type { Credential, Owner, Start } from './http/server.ts'
import type { Sockets } from './http/sockets/sockets.ts'
import type { ServedTopic } from './http/push/sources.ts'
import type { IdentityProvider, LogoutUrlOf, TakeLink } from './identity/sign-in.ts'
import type { Ctx } from './kernel/context.ts'
import type { Job } from './kernel/jobs/jobs.ts'
import type { Reconciler } from './kernel/reconcile.ts'
import { StartError } from './kernel/fault.ts'
import { loadersIn } from './kernel/loaders.ts'
import { root } from './root.ts'

/**
 * What a room of a domain declares, as `module` in `domains/<domain>/<room>/<room>.module.ts` (or
 * `domains/<domain>/<domain>.module.ts` if the domain is a single room). The server finds rooms only by this file name.
 */
export interface Module {
  routes?: Routes
  sockets?: Sockets
  /** Look up the team of objects of a kind. */
  owners?: Owner[]
  jobs?: Job[]
  reconcilers?: Reconciler[]
  topics?: ServedTopic[]
  search?: Source[]
  /** Decisions that wait for people. */
  decisions?: DecisionSource[]
  onStart?: Start
  /**
   * A team that still has some of these objects cannot be deleted. Not needed for rows that a foreign key deletes with
   * the team.
   */
  onTeamDelete?: {
    /** Names the objects, with their number as `{count}`: "pipelines ({count})". */
    phrase: PhraseKey
    count: (db: Db, teamId: number) => Promise<number>
  }
  /** Ends the users' running work, in the transaction that deletes them, before their rows go. */
  onUserDelete?: (ctx: Ctx, userIds: number[]) => Promise<void>
  /** Recreates what ran in an environment that is now another cluster, in the transaction that records the change. */
  onNewCluster?: (ctx: Ctx, clusterId: string) => Promise<void>
  /** Called before the session ends; makes no outside call. */
  onLogout?: LogoutUrlOf
  /** Adds a new or returning user to the team of a link to join, in the transaction of the registration or login. */
  onJoin?: TakeLink
  /** Another way to log in than a local password. */
  identityProvider?: IdentityProvider
  /** Authenticates build agents by their tokens. */
  agentCredential?: Credential
}

export const defineModule = (module: Module): Module => module

export interface FoundModule extends Module {
  /** Path relative to the folder of the domains. */
  file: string
}

const domainsFolder = join(root, 'apps/server/src/domains')
const cache = new Map<string, Promise<FoundModule[]>>()

type Manifest = { module?: Module }

/** In a bundle, the manifests are found when it is built. */
const bundled = import.meta.env && import.meta.glob<Manifest>('./**/*.module.ts', { base: './domains' })

/**
 * Every room's manifest, in the order of the file names; with `only`, of these domains. Throws a StartError if a file
 * exports none.
 */
export async function findModules(only?: string[], folder = domainsFolder): Promise<FoundModule[]> {
  const found = cache.get(folder) ?? loadModules(folder)
  cache.set(folder, found)
  return (await found).filter(({ file }) => only?.includes(file.split(sep)[0] ?? '') ?? true)
}

async function loadModules(folder: string): Promise<FoundModule[]> {
  const isManifest = (file: string) => file.endsWith('.module.ts')
  const loaders = await loadersIn<Manifest>(folder, isManifest, folder === domainsFolder ? bundled : undefined)
  return Promise.all(
    loaders.map(async ({ file, load }) => {
      const { module } = await load()
      if (module === undefined) throw new StartError(`${file} does not export module`)
      return { ...module, file }
    }),
  )
}
