import type { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import type { Repository } from '@gantry/contract/pipelines/pipelines'
import { repositoryHost } from '@gantry/contract/pipelines/repository-url'
import type { Ctx } from '../../../kernel/context.ts'
import { keepSecret, open, maskSealed } from '../../../kernel/secrets/secrets.ts'
import { maskedParameters, sealedParameters } from './parameters.ts'
import type { StoredPipeline } from './pipelines.store.ts'
import { maskedVariables, sealedVariables } from './variables.ts'

/** A stored document with `fields` replaced and their secrets sealed; a mask in them stands for the stored secret. */
export const withFields = (
  ctx: Ctx,
  before: PipelineDocument,
  fields: Partial<PipelineDocument>,
): PipelineDocument => ({
  ...before,
  ...fields,
  ...sealed(ctx, fields, before),
})

export const documentOf = ({
  id: _,
  uuid: _uuid,
  teamId: _team,
  revision: _revision,
  approvers: _approvers,
  ...document
}: StoredPipeline): PipelineDocument => document

/** A document, or some of its fields, with masked secrets. */
export const maskedDocument = <D extends Partial<Pick<PipelineDocument, 'repository' | 'variables' | 'parameters'>>>(
  document: D,
): D => ({
  ...document,
  ...(document.repository && {
    repository: {
      ...document.repository,
      password: maskSealed(document.repository.password),
      privateKey: maskSealed(document.repository.privateKey),
    },
  }),
  ...(document.variables && { variables: maskedVariables(document.variables) }),
  ...(document.parameters && { parameters: maskedParameters(document.parameters) }),
})

/** Seals the secrets among `fields` for storage. */
export const sealed = (
  ctx: Ctx,
  fields: Partial<PipelineDocument>,
  stored?: PipelineDocument,
): Partial<Pick<PipelineDocument, 'repository' | 'variables' | 'parameters'>> => ({
  ...(fields.repository && { repository: sealedRepository(ctx, fields.repository, stored?.repository ?? null) }),
  ...(fields.variables && { variables: sealedVariables(ctx, fields.variables, stored?.variables ?? []) }),
  ...(fields.parameters && { parameters: sealedParameters(ctx, fields.parameters, stored?.parameters ?? []) }),
})

/** Fields of a stored document with secrets in plain text, to be sealed again; without `keep`, secrets are empty. */
export function unsealed<F extends Partial<PipelineDocument>>(ctx: Ctx, fields: F, keep = true): F {
  const plain = (sealed: string) => (keep && sealed !== '' ? open(ctx, sealed) : '')
  const { repository, variables, parameters } = fields
  return {
    ...fields,
    ...(repository && {
      repository: {
        ...repository,
        password: plain(repository.password),
        privateKey: plain(repository.privateKey),
        // credentials belong to the team
        credentialId: keep ? repository.credentialId : null,
      },
    }),
    ...(variables && {
      variables: variables.map((one) => (one.secret ? { ...one, value: plain(one.value) } : one)),
    }),
    ...(parameters && {
      parameters: parameters.map((one) =>
        one.kind === 'secret' ? { ...one, defaultValue: plain(one.defaultValue) } : one,
      ),
    }),
  }
}

/** False if the texts name no host. */
export function sameHost(a: string | undefined, b: string | undefined): boolean {
  const host = repositoryHost(a ?? '')
  return host !== undefined && host === repositoryHost(b ?? '')
}

/** A mask stands for the stored secret only if the host is the same. */
export function sealedRepository(ctx: Ctx, given: Repository, stored: Repository | null): Repository {
  const same = sameHost(given.url, stored?.url)
  return {
    ...given,
    password: keepSecret(ctx, given.password, stored?.password ?? null, same) ?? '',
    privateKey: keepSecret(ctx, given.privateKey, stored?.privateKey ?? null, same) ?? '',
  }
}
