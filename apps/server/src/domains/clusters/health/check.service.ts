import type { ClusterCheck } from '@gantry/contract/clusters/environments'
import { isKube } from '../../../adapters/kube/errors.ts'
import { count, text } from '../../../adapters/kube/parse-object.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { ClusterAddress } from '../../../adapters/kube/transport/kubeconfig.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'
import { clusterOf } from '../environments/connect.service.ts'
import {
  everything,
  identityRight,
  missingOf,
  questions,
  summarizeRights,
  type ToldRight,
} from '../environments/rights.ts'

const from = [1, 30] as const
const to = [1, 35] as const

/** As it stands in messages. */
const supportedVersions = { from: from.join('.'), to: to.join('.') }

/** Kubernetes 1.30 to 1.35; what says `34+` is 34. */
function supports({ major, minor }: { major?: string; minor?: string }): boolean {
  const number = Number.parseInt(minor ?? '', 10)
  return Number(major) === from[0] && number >= from[1] && number <= to[1]
}

interface Found {
  /** Which cluster it is; undefined where that may not be read. */
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

/** What the rights tell already where the cluster refuses it. */
const orTold =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (refused(error)) return instead
    throw error
  }

async function look(kube: Kube): Promise<Found> {
  const version = await kube.version()
  const [all = false] = await kube.can([everything])
  const [answers, nodeNum, uid] = await Promise.all([
    all ? questions.map(() => true) : kube.can(questions),
    countNodes(kube).catch(orTold(0)),
    kube.uid().catch(orTold(undefined)),
  ])
  const rights = [identityRight(uid !== undefined), ...summarizeRights(answers)]
  return { uid, version: text(version.gitVersion) || '?', supported: supports(version), nodeNum, rights }
}

const shown = (ctx: Ctx, { uid: _, ...found }: Found): ClusterCheck => ({
  ...found,
  rights: found.rights.map((right) => ({ ...right, for: say(ctx.lang, right.for) })),
  ok: found.supported && missingOf(found.rights).length === 0,
})

/** A cluster's no to what somebody typed is about what they typed. */
const asTyped = (error: unknown): unknown =>
  isKube(error, 'credentials')
    ? new Fault('invalid', 'clusters-credentials-refused', { server: error.server })
    : kubeFault(error)

/** Reaches a cluster that is not kept: which it is, and what the credentials allow. */
export const tried = (ctx: Ctx, address: ClusterAddress): Promise<{ uid: string | undefined; check: ClusterCheck }> =>
  ctx.ports.kube.trial(address, look).then(
    (found) => ({ uid: found.uid, check: shown(ctx, found) }),
    (error: unknown) => {
      throw asTyped(error)
    },
  )

/** The same of a cluster that is kept. */
export async function rechecked(ctx: Ctx, uuid: string): Promise<ClusterCheck> {
  const { kube } = await clusterOf(ctx, uuid)
  const found = await look(kube).catch((error: unknown) => {
    throw kubeFault(error)
  })
  return shown(ctx, found)
}

/** So many kinds of rights are named in a refusal; the check lists all. */
const named = 8

/** Throws where the product does not work with this version, or lacks what it needs. */
export function mustDo({ version, supported, rights }: ClusterCheck): void {
  if (!supported) throw new Fault('invalid', 'kube-unsupported-version', { version, ...supportedVersions })
  const missing = missingOf(rights)
  if (missing.length === 0) return
  const names = missing.slice(0, named).map(({ right }) => right)
  throw new Fault('invalid', 'clusters-rights-missing', {
    rights: names.join('; ') + (missing.length > named ? ' …' : ''),
  })
}
