import type { SettingKind } from '@gantry/contract/blueprints/promotions'
import type { Certificate, Outward } from '@gantry/contract/stacks/outward'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'

export interface Placed {
  key: string
  kind: SettingKind
  secret: boolean
  value: string
}

type Visit = (key: string, kind: SettingKind, value: string, secret?: boolean) => string

/** A typed number; anything else stays text, which the document's schema then refuses at its field. */
const numbered = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : (text as unknown as number))

const listed = (text: string): string[] => text.split(/[\s,]+/).filter((one) => one !== '')

/** A certificate of the platform is the same on every cluster. */
const certified = <T extends Certificate>(one: T, at: string, visit: Visit): T =>
  one.certificateId === undefined
    ? {
        ...one,
        certificate: visit(`${at}.certificate`, 'certificate', one.certificate),
        key: visit(`${at}.key`, 'key', one.key, true),
      }
    : one

function withOutward(outward: Outward, visit: Visit): Outward {
  if (outward.type === 'external')
    return {
      ...outward,
      ...(outward.dns === undefined
        ? { addresses: listed(visit('outward.addresses', 'address', outward.addresses.join(', '))) }
        : { dns: visit('outward.dns', 'host', outward.dns) }),
    }
  if (outward.type === 'ingress')
    return {
      ...outward,
      group: visit('outward.group', 'group', outward.group),
      hosts: outward.hosts.map((one, at) => ({
        ...one,
        host: visit(`outward.hosts.${at}.host`, 'host', one.host),
        ...(one.tls && { tls: certified(one.tls, `outward.hosts.${at}`, visit) }),
      })),
    }
  const renamed = new Map<string, string>()
  const rules = outward.rules.map((rule) => {
    const at = `outward.rules.${rule.name}`
    const host = rule.host === '' ? '' : visit(`${at}.host`, 'host', rule.host)
    renamed.set(rule.host, host)
    return { ...rule, host, port: numbered(visit(`${at}.port`, 'port', String(rule.port))) }
  })
  return {
    ...outward,
    ...(outward.group === undefined ? {} : { group: visit('outward.group', 'group', outward.group) }),
    rules,
    ...(outward.certificates && {
      certificates: outward.certificates.map((one, at) => ({
        ...certified(one, `outward.certificates.${at}`, visit),
        host: renamed.get(one.host) ?? one.host,
      })),
    }),
  }
}

/** Visits, and replaces, every value of a specification that may differ between clusters. */
function withEachSetting(spec: ServiceSpec, visit: Visit): ServiceSpec {
  const variables = (of: ServiceSpec['environment'], above: string) =>
    of.map((one) => ({ ...one, value: visit(`${above}environment.${one.name}`, 'variable', one.value, one.secret) }))
  if (spec.outward) return { ...spec, outward: withOutward(spec.outward, visit) }
  const isCounted = spec.workload !== 'job' && spec.workload !== 'cronjob'
  return {
    ...spec,
    ...(isCounted ? { replicas: numbered(visit('replicas', 'replicas', String(spec.replicas))) } : {}),
    environment: variables(spec.environment, ''),
    ...(spec.containers && {
      containers: spec.containers.map((one) => ({
        ...one,
        environment: variables(one.environment, `containers.${one.name}.`),
      })),
    }),
    ...(spec.files && {
      files: spec.files.map((file) => ({
        ...file,
        content: visit(`files.${file.path}`, 'file', file.content, file.secret),
      })),
    }),
    ...(spec.volumes && {
      volumes: spec.volumes.map((volume) => {
        if (volume.type === 'existing')
          return { ...volume, claim: visit(`volumes.${volume.name}.claim`, 'claim', volume.claim) }
        if (volume.type === 'host')
          return { ...volume, folder: visit(`volumes.${volume.name}.folder`, 'folder', volume.folder) }
        if (volume.type !== 'claim') return volume
        const { storageClass, ...rest } = volume
        const chosen = visit(`volumes.${volume.name}.storageClass`, 'class', storageClass ?? '')
        return { ...rest, ...(chosen === '' ? {} : { storageClass: chosen }) }
      }),
    }),
  }
}

/** The settings that may differ in a service, in the order of its document. */
export function settingsOf(spec: ServiceSpec): Placed[] {
  const found: Placed[] = []
  withEachSetting(spec, (key, kind, value, secret = false) => {
    found.push({ key, kind, secret, value })
    return value
  })
  return found
}

/**
 * The target's values under the same keys. Where the value is plain at the source and secret at the target, the
 * target's is not taken, because it would be shown.
 */
export function keptValues(source: ServiceSpec, target: ServiceSpec | undefined): Map<string, string> {
  const kept = new Map<string, string>()
  if (!target) return kept
  const known = new Map(settingsOf(target).map((one) => [one.key, one]))
  for (const { key, secret } of settingsOf(source)) {
    const found = known.get(key)
    if (found && (secret || !found.secret)) kept.set(key, found.value)
  }
  return kept
}

/** The source's specification with the given values. */
export const withSettings = (source: ServiceSpec, values: ReadonlyMap<string, string>): ServiceSpec =>
  withEachSetting(source, (key, _kind, value) => values.get(key) ?? value)
