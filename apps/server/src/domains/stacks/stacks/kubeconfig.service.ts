import { stringify } from 'yaml'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { type ClusterAddress, isOwnAddress } from '../../../adapters/kube/transport/kubeconfig.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { clusterOf, wayTo } from '../../clusters/public.ts'
import { publicUrl } from '../../settings/public.ts'
import {
  accountsNamespace,
  accountsNamespaceObject,
  type NamespaceOf,
  placeOf,
  teamAccount,
  teamRole,
  teamRoleBinding,
} from '../reconcile/namespace-objects.ts'
import { getStack } from './stacks.service.ts'
import type { StackRow } from './stacks.store.ts'

/** Refuses if users cannot reach the cluster at the address that the platform uses. */
async function mustLeadThere(ctx: Ctx, cluster: string, { auth, server }: ClusterAddress): Promise<void> {
  if (auth.kind === 'agent') throw new Fault('conflict', 'stacks-kubeconfig-agent', { cluster })
  // a console on the server's own machine can reach the cluster there, too
  if (isOwnAddress(server) && !isOwnAddress(await publicUrl(ctx)))
    throw new Fault('conflict', 'stacks-kubeconfig-private', { cluster, server })
}

/** Creates the team's account, in a namespace that only the platform writes to. */
async function createAccount(kube: Kube, place: NamespaceOf, clusterId: string): Promise<void> {
  const there = await kube.find(kinds.namespaces, { name: accountsNamespace })
  if (there && there.metadata?.labels?.[labels.environment] !== clusterId)
    throw new Fault('conflict', 'stacks-kubeconfig-namespace-taken', { namespace: accountsNamespace })
  await kube.apply(kinds.namespaces, accountsNamespaceObject(clusterId))
  const { metadata } = await kube.get(kinds.namespaces, { name: place.namespace })
  await kube.apply(kinds.serviceAccounts, teamAccount(place, metadata?.uid ?? ''))
}

/** Binds the team's account to the team's roles in the namespace, because older stacks have bindings without it. */
async function bindAccount(kube: Kube, place: NamespaceOf): Promise<void> {
  const { namespace } = place
  const name = (object: { metadata?: { name?: string } }) => object.metadata?.name ?? ''
  await kube.apply(kinds.roles, teamRole(place))
  const { items } = await kube.list(kinds.roles, { namespace })
  for (const role of items.filter((one) => /^gantry-team(-|$)/.test(name(one))))
    await kube.apply(kinds.roleBindings, teamRoleBinding(place, { metadata: { name: name(role) } }))
}

const textOf = ({ server, ca, tlsServerName }: ClusterAddress, stack: StackRow, token: string): string => {
  const name = stack.namespace
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server,
          ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
          ...(tlsServerName !== undefined && { 'tls-server-name': tlsServerName }),
        },
      },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: name } }],
    'current-context': name,
  })
}

/** A file with which kubectl and other programs reach the namespace of a stack, and nothing else of its cluster. */
export async function issueKubeconfig(
  ctx: Ctx,
  { teamId, envId, stackId }: { teamId: number; envId: string; stackId: number | string },
  hours: number,
): Promise<{ kubeconfig: string; until: string }> {
  const stack = await getStack(ctx, teamId, stackId, envId)
  const { namespace } = stack
  note(ctx, { object: stack.name, after: { namespace, cluster: stack.envName, hours } })
  if (stack.state !== 'running') throw new Fault('conflict', 'stacks-kubeconfig-not-yet', { name: stack.name })
  const { name: cluster, address } = await wayTo(ctx, envId)
  await mustLeadThere(ctx, cluster, address)
  const { kube } = await clusterOf(ctx, envId)
  try {
    const place = placeOf(stack)
    await createAccount(kube, place, envId)
    await bindAccount(kube, place)
    const { token, until } = await kube.token({ name: namespace, namespace: accountsNamespace }, hours * 3600)
    ctx.told.add(token)
    note(ctx, { after: { namespace, cluster, hours, until } })
    return { kubeconfig: textOf(address, stack, token), until }
  } catch (error) {
    if (isKube(error, 'forbidden')) throw new Fault('badGateway', 'stacks-kubeconfig-forbidden', { cluster })
    throw kubeFault(error)
  }
}
