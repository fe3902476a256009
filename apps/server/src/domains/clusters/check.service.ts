import type { ClusterCheck } from '@gantry/contract/clusters/environments'
import { isKube } from '../../adapters/kube/errors.ts'
import { count, text } from '../../adapters/kube/keep.ts'
import { kubeFault } from '../../adapters/kube/faults.ts'
import type { ClusterAddress } from '../../adapters/kube/kubeconfig.ts'
import type { Kube } from '../../adapters/kube/client.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'
import { clusterOf } from './connect.service.ts'
import { everything, missingOf, questions, told, type ToldRight } from './rights.ts'
import { supportedVersions, supports } from './versions.ts'

interface Found {
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

async function look(kube: Kube): Promise<Found> {
  const version = await kube.version()
  const [all = false] = await kube.can([everything])
  const [answers, nodeNum] = await Promise.all([
    all ? questions.map(() => true) : kube.can(questions),
    countNodes(kube).catch((error: unknown) => {
      // told by the rights already
      if (refused(error)) return 0
      throw error
    }),
  ])
  return { version: text(version.gitVersion) || '?', supported: supports(version), nodeNum, rights: told(answers) }
}

const shown = (ctx: Ctx, found: Found): ClusterCheck => ({
  ...found,
  rights: found.rights.map((right) => ({ ...right, for: say(ctx.lang, right.for) })),
  ok: found.supported && missingOf(found.rights).length === 0,
})

/** A cluster's no to what somebody typed is about what they typed. */
const asTyped = (error: unknown): unknown =>
  isKube(error, 'credentials')
    ? new Fault('invalid', 'clusters-credentials-refused', { server: error.server })
    : kubeFault(error)

/** Reaches a cluster that is not kept, and lists what the credentials allow. */
export const tried = (ctx: Ctx, address: ClusterAddress): Promise<ClusterCheck> =>
  ctx.ports.kube.trial(address, look).then(
    (found) => shown(ctx, found),
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
