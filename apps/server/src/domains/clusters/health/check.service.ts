import type { ClusterCheck } from '@gantry/contract/clusters/clusters'
import { isKube } from '../../../adapters/kube/errors.ts'
import { count, text } from '../../../adapters/kube/parse-object.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { ClusterAddress } from '../../../adapters/kube/transport/kubeconfig.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'
import { clusterOf } from '../clusters/connect.service.ts'
import {
  everything,
  grants,
  identityRight,
  missingOf,
  neededQuestions,
  questions,
  summarizeRights,
  type ToldRight,
} from '../clusters/rights.ts'

const from = [1, 30] as const
const to = [1, 35] as const

/** The supported range as messages show it. */
const supportedVersions = { from: from.join('.'), to: to.join('.') }

/** Kubernetes 1.30 to 1.35; a minor version of `34+` counts as 34. */
function supports({ major, minor }: { major?: string; minor?: string }): boolean {
  const number = Number.parseInt(minor ?? '', 10)
  return Number(major) === from[0] && number >= from[1] && number <= to[1]
}

interface Found {
  /** The identity of the cluster; undefined if it may not be read. */
  uid: string | undefined
  version: string
  supported: boolean
  nodeNum: number
  rights: ToldRight[]
}

const refused = (error: unknown): boolean => isKube(error, 'forbidden')

async function countNodes(kube: Kube): Promise<number> {
  const first = await kube.list(kinds.nodes, {}, { limit: 1 })
  return first.items.length + count(first.remaining)
}

/** Replaces a refusal by `instead`, because the rights already show what is missing. */
const ifRefused =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (refused(error)) return instead
    throw error
  }

async function look(kube: Kube): Promise<Found> {
  const version = await kube.version()
  // an API server too old to identify the caller is refused for its version
  await kube.mustBeKnown().catch((error: unknown) => {
    if (!isKube(error, 'forbidden', 'missing')) throw error
  })
  const [all = false] = await kube.can([everything])
  const [answers, nodeNum, uid] = await Promise.all([
    all ? questions.map(() => true) : kube.can(questions),
    countNodes(kube).catch(ifRefused(0)),
    kube.uid().catch(ifRefused(undefined)),
  ])
  const rights = [identityRight(uid !== undefined), ...summarizeRights(answers)]
  return { uid, version: text(version.gitVersion) || '?', supported: supports(version), nodeNum, rights }
}

const toCheck = (ctx: Ctx, { uid: _, ...found }: Found): ClusterCheck => ({
  ...found,
  rights: found.rights.map((right) => ({ ...right, for: say(ctx.lang, right.for) })),
  ok: found.supported && missingOf(found.rights).length === 0,
})

/** If the cluster refuses credentials that somebody has just entered, that is an error of the input. */
function asTyped(error: unknown): unknown {
  if (isKube(error, 'credentials'))
    return new Fault('invalid', 'clusters-credentials-refused', { server: error.server })
  if (isKube(error, 'anonymous')) return new Fault('invalid', 'kube-anonymous', { server: error.server })
  return kubeFault(error)
}

/** Connects to a cluster that is not saved; returns its identity and the rights of the credentials. */
export const tried = (ctx: Ctx, address: ClusterAddress): Promise<{ uid: string | undefined; check: ClusterCheck }> =>
  ctx.ports.kube.trial(address, look).then(
    (found) => ({ uid: found.uid, check: toCheck(ctx, found) }),
    (error: unknown) => {
      throw asTyped(error)
    },
  )

/** The same for a saved cluster. */
export async function rechecked(ctx: Ctx, uuid: string): Promise<ClusterCheck> {
  const { kube } = await clusterOf(ctx, uuid)
  const found = await look(kube).catch((error: unknown) => {
    throw kubeFault(error)
  })
  return toCheck(ctx, found)
}

/** Maximum of rights that a refusal names; the check lists all. */
const named = 8

/** Throws if the product does not support this version, or lacks a required right. */
export function mustBeUsable({ version, supported, rights }: ClusterCheck): void {
  if (!supported) throw new Fault('invalid', 'kube-unsupported-version', { version, ...supportedVersions })
  const missing = missingOf(rights)
  if (missing.length > 0) throw rightsMissing(missing)
}

function rightsMissing(missing: readonly Pick<ToldRight, 'right'>[]): Fault {
  const names = missing.slice(0, named).map(({ right }) => right)
  const rights = names.join('; ') + (missing.length > named ? ' …' : '')
  return new Fault('invalid', 'clusters-rights-missing', { rights }, null, 'clusters-health-credentials')
}

/**
 * The fault of a saved cluster that withdrew a required right after it was joined. Every check calls this, so it is one
 * call where authorizers list what they grant; only unlisted rights are checked one by one.
 */
export async function rightsLost(kube: Kube, signal: AbortSignal): Promise<Fault | undefined> {
  const rules = await kube.rules({ signal })
  const unlisted = neededQuestions.filter((right) => !rules.some((rule) => grants(rule, right)))
  if (unlisted.length === 0) return undefined
  const [all = false] = await kube.can([everything], { signal })
  if (all) return undefined
  const answers = await kube.can(unlisted, { signal })
  const denied = new Set(unlisted.filter((_, at) => !answers[at]))
  const missing = missingOf(summarizeRights(questions.map((right) => !denied.has(right))))
  return missing.length > 0 ? rightsMissing(missing) : undefined
}
