import { createHash } from 'node:crypto'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { type Configuration, maxFileBytes } from '@gantry/contract/stacks/spec-storage'
import { annotations } from '../../adapters/kube/labels.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { open } from '../../kernel/secrets/secrets.ts'
import { entriesOf } from './entries.store.ts'
import { keysIn, render, renderedSize } from './render.ts'
import {
  appliedVersion,
  noteVersion,
  profileNamed,
  type ReadProfile,
  type ReadTemplate,
  templatesNamed,
} from './use.store.ts'

type Named = Pick<Configuration, 'project' | 'profile' | 'templates'>

/** A version that changes with every value, without revealing any. */
const versionOf = (profile: ReadProfile, templates: readonly Pick<ReadTemplate, 'uuid' | 'revision'>[]): string =>
  [`${profile.uuid}@${profile.keysRevision}`, ...templates.map(({ uuid, revision }) => `${uuid}@${revision}`)].join(' ')

/** The profile and templates that a service names; 409 if one of them does not exist. */
async function findNamed(ctx: Ctx, teamId: number, reads: Named, how: { lock?: boolean } = {}) {
  const { project } = reads
  const profile = await profileNamed(ctx.db, teamId, reads, how)
  if (!profile) throw new Fault('conflict', 'config-profile-unknown', { project, profile: reads.profile })
  const names = [...new Set(reads.templates.map(({ template }) => template))]
  const templates = names.length === 0 ? [] : await templatesNamed(ctx.db, teamId, project, names, how)
  const lost = names.find((name) => !templates.some((one) => one.name === name))
  if (lost !== undefined) throw new Fault('conflict', 'config-template-unknown', { project, template: lost })
  return { profile, templates }
}

/** The version that a service would be applied with now. */
export async function newestVersion(ctx: Ctx, teamId: number, reads: Named): Promise<string> {
  const { profile, templates } = await findNamed(ctx, teamId, reads)
  return versionOf(profile, templates)
}

/** The keys of a profile with decrypted secrets, to be sent only to the cluster. */
const openEntries = async (ctx: Ctx, profile: string) =>
  (await entriesOf(ctx.db, profile)).map(({ key, value, secret }) => ({
    key,
    value: secret ? open(ctx, value) : value,
    secret,
  }))

/**
 * Throws 409 if a service cannot read its configuration: something does not exist, a template needs a key that the
 * profile lacks, or the files would be too large. With `lock` none of it can change until the transaction ends.
 */
export async function mustConfigure(
  ctx: Ctx,
  teamId: number,
  { configuration, files = [] }: Pick<ServiceSpec, 'configuration' | 'files'>,
  service: string,
  how: { lock?: boolean } = {},
): Promise<void> {
  if (!configuration) return
  const { profile, templates } = await findNamed(ctx, teamId, configuration, how)
  if (templates.length === 0) return
  const entries = await openEntries(ctx, profile.uuid)
  const sizes = new Map(entries.map(({ key, value }) => [key, Buffer.byteLength(value)]))
  for (const { name, content } of templates) {
    const missing = keysIn(content).filter((key) => !sizes.has(key))
    if (missing.length > 0)
      throw new Fault('conflict', 'config-keys-missing', {
        service,
        template: name,
        profile: `${configuration.project}/${configuration.profile}`,
        keys: missing.slice(0, 10).join(', '),
      })
  }
  const rendered = new Map(templates.map(({ name, content }) => [name, renderedSize(content, sizes)]))
  const size = [
    ...files.map(({ content }) => Buffer.byteLength(content)),
    ...configuration.templates.map(({ template }) => rendered.get(template) ?? 0),
  ].reduce((sum, one) => sum + one, 0)
  if (size > maxFileBytes) throw new Fault('conflict', 'config-files-too-large', { service, size, limit: maxFileBytes })
}

/**
 * Adds the configuration to a specification: keys as variables of the main container unless it sets them itself,
 * templates as files; both are secret if they contain a secret value. The version is annotated on the pods, so that a
 * new version replaces them. To be sent only to the cluster.
 */
export async function withConfiguration(
  ctx: Ctx,
  teamId: number,
  spec: ServiceSpec,
): Promise<{ spec: ServiceSpec; version: string | null }> {
  const { configuration } = spec
  if (!configuration) return { spec, version: null }
  const { profile, templates } = await findNamed(ctx, teamId, configuration)
  const entries = await openEntries(ctx, profile.uuid)
  const values = new Map(entries.map(({ key, value }) => [key, value]))
  const secrets = new Set(entries.flatMap(({ key, secret }) => (secret ? [key] : [])))
  const own = new Set(spec.environment.map(({ name }) => name))
  const read = entries.filter(({ key }) => configuration.env && !own.has(key))
  const texts = new Map(
    templates.map(({ name, content }) => [
      name,
      { content: render(content, values), secret: keysIn(content).some((key) => secrets.has(key)) },
    ]),
  )
  const version = versionOf(profile, templates)
  const noted = createHash('sha256').update(version).digest('hex').slice(0, 16)
  return {
    version,
    spec: {
      ...spec,
      environment: [...spec.environment, ...read.map(({ key, value, secret }) => ({ name: key, value, secret }))],
      files: [
        ...(spec.files ?? []),
        ...configuration.templates.flatMap(({ template, path }) => {
          const text = texts.get(template)
          return text ? [{ path, ...text }] : []
        }),
      ],
      annotations: [...(spec.annotations ?? []), { key: annotations.configuration, value: noted }],
    },
  }
}

/** Records the version that a service was applied with. */
export const noteConfigured = (ctx: Ctx, serviceId: number, version: string | null): Promise<void> =>
  noteVersion(ctx.db, serviceId, version)

/** Whether a service was last applied with this version. */
export const isConfiguredAs = async (ctx: Ctx, serviceId: number, version: string | null): Promise<boolean> =>
  (await appliedVersion(ctx.db, serviceId)) === version
