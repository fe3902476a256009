import type { Change } from '@gantry/contract/batch-edits/changes'
import { changedFields } from '@gantry/contract/documents'
import type { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import { Fault } from '../../../kernel/fault.ts'
import { isPhrase, type Reason, reasonOf } from '../../../kernel/phrase.ts'
import { documentOf, maskedDocument } from '../pipelines/documents.ts'
import type { StoredPipeline } from '../pipelines/pipelines.store.ts'
import { edit } from './edit.ts'

/** Why a batch does not change one pipeline, and the path in its document that this is about. */
export class Refusal extends Error {
  readonly reason: Reason
  readonly path: string

  constructor(reason: Reason, path = '') {
    super(reason.key)
    this.name = 'Refusal'
    this.reason = reason
    this.path = path
  }
}

/** The refusal that an error stands for; undefined for an unforeseen error. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  return error instanceof Fault ? new Refusal(reasonOf(error)) : undefined
}

export interface Plan {
  /** The fields to set: a mask stands for the stored secret, a new secret is in plain text. */
  fields: Partial<PipelineDocument>
  refusal?: Refusal
  /** For each change, whether there is something in the pipeline that it applies to. */
  matched: boolean[]
}

/** The fields of a pipeline that changes would set, checked by the document's own rules. */
export function planOf(pipeline: StoredPipeline, changes: readonly Change[]): Plan {
  const before = maskedDocument(documentOf(pipeline))
  const { document, issue, matched } = edit(before, changes)
  if (!document) {
    const { key = '', path } = issue ?? {}
    return { fields: {}, matched, refusal: new Refusal({ key: isPhrase(key) ? key : 'field-invalid', vars: {} }, path) }
  }
  return { fields: only(document, changedFields(before, document)), matched }
}

export const only = (document: PipelineDocument, fields: readonly (keyof PipelineDocument)[]) =>
  Object.fromEntries(fields.map((field) => [field, document[field]])) as Partial<PipelineDocument>

/** The names of secrets whose values differ though their masks are alike; both documents are as stored. */
export function changedSecrets(before: Partial<PipelineDocument>, after: Partial<PipelineDocument>): string[] {
  const was = secretsOf(before)
  return [...secretsOf(after)]
    .filter(([name, sealed]) => was.get(name) !== sealed && sealed !== '')
    .map(([name]) => name)
}

const secretsOf = ({ repository, variables = [], parameters = [] }: Partial<PipelineDocument>): Map<string, string> =>
  new Map([
    ...(repository ? (['password', 'privateKey'] as const).map((name) => [name, repository[name]] as const) : []),
    ...variables.filter((one) => one.secret).map((one) => [one.name, one.value] as const),
    ...parameters.filter((one) => one.kind === 'secret').map((one) => [one.name, one.defaultValue] as const),
  ])
