import { createHash, randomInt, X509Certificate } from 'node:crypto'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { firstCluster } from '../../../adapters/kube/transport/kubeconfig.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'
import { addressOf, clusterOf } from '../clusters/connect.service.ts'
import { addresses, findCluster } from '../clusters/clusters.store.ts'
import { withKubeFaults } from './host-node.ts'
import { joinScript } from './join-script.ts'

const hourMs = 3_600_000

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const letters = (count: number): string => Array.from({ length: count }, () => alphabet[randomInt(36)]).join('')

interface Place {
  server: string
  /** PEM. */
  ca: string
}

/** What kubeadm publishes to everybody in a cluster; undefined if it is unusable. */
function placeIn(kubeconfig: string | undefined): Place | undefined {
  try {
    const { server, ca } = firstCluster(kubeconfig ?? '')
    return ca === undefined ? undefined : { server, ca }
  } catch {
    return undefined
  }
}

/**
 * The address at which hosts reach the cluster and the CA by which they trust it: as the cluster publishes them, else
 * our own address. A cluster without a published CA was not created by kubeadm, and kubeadm cannot join hosts to it.
 */
async function placeOf(ctx: Ctx, { uuid, name }: { uuid: string; name: string }, kube: Kube): Promise<Place> {
  const info = await kube
    .get(kinds.configMaps, { namespace: 'kube-public', name: 'cluster-info' })
    .catch((error: unknown) => {
      if (isKube(error, 'missing')) throw new Fault('conflict', 'hosts-script-other-maker', { name })
      if (isKube(error, 'forbidden')) return undefined
      throw error
    })
  const published = placeIn(info?.data?.['kubeconfig'])
  if (published) return published
  const [row] = await addresses(ctx.db, uuid)
  const address = row && addressOf(ctx, row)
  if (address?.ca === undefined) throw new Fault('conflict', 'hosts-script-no-authority')
  return { server: address.server, ca: address.ca }
}

/** The hash of a CA's public key, in kubeadm's format. */
function authorityHash(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}

function endpointOf(server: string): string {
  const { hostname, port } = new URL(server)
  return `${hostname}:${port || '443'}`
}

/** A bootstrap token for this script only, which the cluster deletes after an hour. */
async function newToken(ctx: Ctx, kube: Kube, expiresAt: Date): Promise<string> {
  const [id, secret] = [letters(6), letters(16)]
  ctx.secrets.add(secret)
  const text = (value: string) => Buffer.from(value).toString('base64')
  await kube.create(kinds.secrets, {
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: {
      'token-id': text(id),
      'token-secret': text(secret),
      expiration: text(expiresAt.toISOString().replace(/\.\d+Z$/, 'Z')),
      'usage-bootstrap-authentication': text('true'),
      'usage-bootstrap-signing': text('true'),
      'auth-extra-groups': text('system:bootstrappers:kubeadm:default-node-token'),
    },
  })
  return `${id}.${secret}`
}

export async function scriptFor(ctx: Ctx, { envUuid, os }: { envUuid: string; os: 'linux' | 'windows' }) {
  const cluster = mustExist(await findCluster(ctx.db, envUuid))
  note(ctx, { object: cluster.name })
  if (os === 'windows') throw new Fault('invalid', 'hosts-script-windows')
  const { kube } = await clusterOf(ctx, envUuid)
  const { server, ca } = await withKubeFaults(placeOf(ctx, cluster, kube))
  const { minor } = await withKubeFaults(kube.version())
  const expiresAt = new Date(Date.now() + hourMs)
  const token = await withKubeFaults(newToken(ctx, kube, expiresAt))
  note(ctx, { after: { expiresAt: expiresAt.toISOString() } })
  const { name } = cluster
  const script = joinScript({
    endpoint: endpointOf(server),
    token,
    caHash: authorityHash(ca),
    minor: Number.parseInt(minor ?? '', 10),
    texts: {
      needsRoot: say(ctx.lang, 'hosts-script-root'),
      needsKubeadm: say(ctx.lang, 'hosts-script-kubeadm'),
      joining: say(ctx.lang, 'hosts-script-joining', { name }),
      joined: say(ctx.lang, 'hosts-script-joined', { name }),
    },
  })
  return { script, expiresAt: expiresAt.toISOString() }
}
