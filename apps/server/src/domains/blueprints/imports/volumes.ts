import { ownVolumes } from '@gantry/contract/stacks/spec-storage'
import type { Mount } from './containers.ts'
import type { Draft, Fields } from './fields.ts'
import type { Sources } from './sources.ts'
import type { Reporter } from './telling.ts'

/** A claim that the text creates, for a service or for each of its instances. */
export interface Claim {
  name: string
  at: number
  size: string
  storageClass: string | undefined
  access: 'one' | 'many'
  /** The service that creates the claim, and its volume's name; others refer to it as `<service>.<volume>`. */
  holder: { service: string; volume: string } | undefined
}

/** Reads the specification of a claim. */
export function claimOf(name: string, spec: Fields | undefined, at: number): Claim {
  const modes = spec?.words('accessModes') ?? []
  spec?.usual('volumeMode', 'Filesystem')
  const requests = spec?.fields('resources')?.fields('requests')
  return {
    name,
    at,
    size: requests?.text('storage') ?? '',
    storageClass: spec?.text('storageClassName'),
    access: modes.includes('ReadWriteMany') ? 'many' : 'one',
    holder: undefined,
  }
}

export interface Cluster {
  sources: Sources
  claims: Map<string, Claim>
  tell: Reporter
}

type Kept =
  | { type: 'space'; document: Record<string, unknown>; at: number }
  | { type: 'files'; kind: 'ConfigMap' | 'Secret'; object: string; items: Map<string, string> | undefined; at: number }

const fromClaim = ({ size, storageClass, access }: Claim): Record<string, unknown> => ({
  type: 'claim',
  size,
  ...(storageClass === undefined ? {} : { storageClass }),
  ...(access === 'many' ? { access } : {}),
})

/** The volume for a claim: the first service that uses a claim of the text creates it, others refer to it. */
function claimed(service: string, volume: string, name: string, { claims }: Cluster): Record<string, unknown> {
  const claim = claims.get(name)
  if (!claim) return { type: 'existing', claim: name }
  const { holder } = claim
  if (holder && holder.service !== service) return { type: 'existing', claim: `${holder.service}.${holder.volume}` }
  claim.holder = { service, volume }
  return fromClaim(claim)
}

/** Kubernetes' default mode of files from objects. */
const usualModes = [0o644, 644, '0644']

function filesOf(volume: Fields, kind: 'ConfigMap' | 'Secret', at: number): Kept | undefined {
  const found = volume.fields(kind === 'Secret' ? 'secret' : 'configMap')
  if (!found) return undefined
  found.usual('defaultMode', ...usualModes)
  found.usual('optional', false)
  const object = found.text(kind === 'Secret' ? 'secretName' : 'name') ?? ''
  const items = found.has('items')
    ? new Map(found.rows('items').map((row) => [row.text('key') ?? '', row.text('path') ?? '']))
    : undefined
  return { type: 'files', kind, object, items, at }
}

function keptIn(service: string, volume: Fields, name: string, cluster: Cluster): Kept | 'told' | undefined {
  const { at } = volume
  const claim = volume.fields('persistentVolumeClaim')
  if (claim) {
    claim.usual('readOnly', false)
    return { type: 'space', document: claimed(service, name, claim.text('claimName') ?? '', cluster), at }
  }
  const empty = volume.fields('emptyDir')
  if (empty) {
    const size = empty.text('sizeLimit')
    const isMemory = empty.text('medium') === 'Memory'
    const document = { type: 'empty', ...(size === undefined ? {} : { size }), ...(isMemory ? { memory: true } : {}) }
    return { type: 'space', document, at }
  }
  if (volume.has('hostPath')) {
    volume.leave('hostPath', 'imports-host-path', { name: name.slice(0, 60) })
    return 'told'
  }
  return filesOf(volume, 'ConfigMap', at) ?? filesOf(volume, 'Secret', at)
}

/** Mounts files from an object at the paths of a container. */
function putFiles(
  draft: Draft,
  kept: Extract<Kept, { type: 'files' }>,
  mount: Mount,
  { sources, tell }: Cluster,
): void {
  const { kind, object, items } = kept
  const secret = kind === 'Secret'
  const put = (path: string, content: string | undefined) => {
    if (content === undefined && secret) tell.note(mount.at, 'imports-secret-empty', { name: path.slice(0, 100) })
    draft.push('files', { path, content: content ?? '', secret }, mount.at)
  }
  const keyOf = (path: string) => [...(items ?? [])].find(([, at]) => at === path)?.[0] ?? path
  if (mount.subPath !== undefined) {
    const content = sources.value(kind, object, keyOf(mount.subPath))
    if (content !== undefined || secret) return put(mount.path, content)
  } else {
    const keys = items ? [...items.keys()] : sources.keys(kind, object)
    for (const key of keys ?? []) put(`${mount.path}/${items?.get(key) ?? key}`, sources.value(kind, object, key))
    if (keys) return undefined
  }
  return tell.note(mount.at, 'imports-not-in-text', { kind, name: object.slice(0, 100) })
}

/** Turns a name into one that a document allows for a volume. */
const partName = (name: string): string => {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  return plain.startsWith('gantry-') || plain === '' ? `volume-${plain}`.replace(/-$/, '') : plain
}

/**
 * Reads volumes and files of a service. `mounts`: of its main container; `extras`: of each of the others, in order;
 * `templates`: the claims that each instance has of its own.
 */
export function putVolumes(
  draft: Draft,
  pod: Fields,
  mounts: readonly Mount[],
  extras: readonly (readonly Mount[])[],
  templates: readonly Claim[],
  cluster: Cluster,
): void {
  const { tell } = cluster
  const kept = new Map<string, Kept>()
  const left = new Set<string>()
  for (const template of templates)
    kept.set(template.name, { type: 'space', document: fromClaim(template), at: template.at })
  for (const volume of pod.rows('volumes')) {
    const name = volume.text('name') ?? ''
    const found = keptIn(draft.name, volume, partName(name), cluster)
    if (found === 'told') left.add(name)
    else if (found) kept.set(name, found)
  }
  const names = new Map<string, string>()
  for (const mount of mounts) {
    const found = kept.get(mount.volume)
    if (found?.type === 'files') putFiles(draft, found, mount, cluster)
    else if (left.has(mount.volume)) continue
    else if (!found) tell.note(mount.at, 'imports-volume-none', { name: mount.volume.slice(0, 60) })
    else if (mount.subPath !== undefined) tell.note(mount.at, 'imports-sub-path', { name: mount.volume.slice(0, 60) })
    else if (names.has(mount.volume)) tell.note(mount.at, 'imports-mounted-twice', { name: mount.volume.slice(0, 60) })
    else {
      const name = partName(mount.volume)
      names.set(mount.volume, name)
      const { path, readOnly } = mount
      draft.push('volumes', { name, path, readOnly, ...found.document }, mount.at)
    }
  }
  for (const [volume, found] of kept)
    if (found.type === 'space' && !names.has(volume))
      tell.note(found.at, 'imports-not-mounted', { name: volume.slice(0, 60) })
  const containers = (draft.document['containers'] ?? []) as { mounts: unknown[] }[]
  for (const [index, of] of extras.entries())
    for (const { volume, path, readOnly, subPath, at } of of) {
      const name = names.get(volume)
      if (name !== undefined && subPath === undefined) containers[index]?.mounts.push({ volume: name, path, readOnly })
      else if (!Object.values<string>(ownVolumes).includes(volume))
        tell.note(at, 'imports-mount-none', { name: volume.slice(0, 60) })
    }
}
