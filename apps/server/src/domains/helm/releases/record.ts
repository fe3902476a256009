import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import type { Kube } from '../../../adapters/kube/client.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const unzip = promisify(gunzip)
const maxBytes = 32 * 1_048_576

const text = z.string().catch('').default('')
const Hook = z.object({
  manifest: text,
  events: z
    .array(z.string())
    .nullish()
    .transform((events) => events ?? []),
})

/** A release as helm stores it: one record per revision. */
export const HelmRecord = z.object({
  name: text,
  namespace: text,
  version: z.number().int().catch(0).default(0),
  manifest: text,
  config: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((config) => config ?? {}),
  hooks: z
    .array(Hook)
    .nullish()
    .transform((hooks) => hooks ?? []),
  info: z.object({ status: text, description: text, notes: text, last_deployed: text }).partial().default({}),
  chart: z
    .object({ metadata: z.object({ name: text, version: text, appVersion: text }) })
    .nullish()
    .transform((chart) => chart?.metadata ?? { name: '', version: '', appVersion: '' }),
})
export type HelmRecord = z.infer<typeof HelmRecord>

/** Decodes a record's secret: JSON, gzipped, in base64, and once more in base64 like any secret. */
async function decoded(data: string): Promise<HelmRecord | undefined> {
  try {
    const inner = Buffer.from(Buffer.from(data, 'base64').toString('latin1'), 'base64')
    const json = await unzip(inner, { maxOutputLength: maxBytes })
    const parsed = HelmRecord.safeParse(JSON.parse(json.toString('utf8')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** The revisions of a release in the cluster, newest first, without unreadable ones. */
export async function recordsOf(kube: Kube, namespace: string, name: string): Promise<HelmRecord[]> {
  const { items } = await kube.list(kinds.secrets, { namespace, labels: `owner=helm,name=${name}` })
  const read = await Promise.all(items.map(({ data }) => decoded(data?.['release'] ?? '')))
  return read.flatMap((record) => record ?? []).sort((a, b) => b.version - a.version)
}

const pending = new Set(['pending-install', 'pending-upgrade', 'pending-rollback'])

export const isPending = ({ info }: HelmRecord): boolean => pending.has(info.status ?? '')

/** The revision in force: the one that helm marks, or after a failed first installation the only one. */
export const inForce = (records: readonly HelmRecord[]): HelmRecord | undefined =>
  records.find(({ info }) => info.status === 'deployed') ?? records.find((record) => !isPending(record))

/**
 * Deletes the records of killed runs: helm refuses everything while there is one. The objects of such a run are
 * labelled as the release's, so the next run takes them over.
 */
export async function dropPending(kube: Kube, namespace: string, name: string): Promise<number> {
  const { items } = await kube.list(kinds.secrets, { namespace, labels: `owner=helm,name=${name}` })
  const left = items.filter(({ metadata }) => pending.has(metadata?.labels?.['status'] ?? ''))
  for (const { metadata } of left) await kube.remove(kinds.secrets, { namespace, name: metadata?.name ?? '' })
  return left.length
}
