import type { Kind } from './kinds.ts'

export interface Cause {
  reason?: string
  message?: string
  field?: string
}

export interface Status {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: Record<string, never>
  status: 'Success' | 'Failure'
  message?: string
  reason?: string
  details?: {
    name?: string
    group?: string
    kind?: string
    uid?: string
    causes?: Cause[]
    retryAfterSeconds?: number
  }
  code?: number
}

/** An error answer of the API: it has the Status object that the real API server would send. */
export class ApiError extends Error {
  readonly status: Status
  constructor(code: number, reason: string, message: string, details?: Status['details']) {
    super(message)
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(details ? { details } : {}),
      code,
    }
  }
}

type Target = Pick<Kind, 'group' | 'plural'>

const about = (kind: Target, name: string, more: Status['details'] = {}): Status['details'] => ({
  ...(name ? { name } : {}),
  ...(kind.group ? { group: kind.group } : {}),
  kind: kind.plural,
  ...more,
})

/** `deployments.apps`, or `pods` in the core group: the name of a resource in messages. */
const qualifiedName = (kind: Target): string => (kind.group ? `${kind.plural}.${kind.group}` : kind.plural)

export const notFound = (kind: Target, name: string): ApiError =>
  new ApiError(404, 'NotFound', `${qualifiedName(kind)} "${name}" not found`, about(kind, name))

export const alreadyExists = (kind: Target, name: string): ApiError =>
  new ApiError(409, 'AlreadyExists', `${qualifiedName(kind)} "${name}" already exists`, about(kind, name))

export const conflict = (kind: Target, name: string, why: string): ApiError =>
  new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualifiedName(kind)} "${name}": ${why}`,
    about(kind, name),
  )

export const modified = (kind: Target, name: string): ApiError =>
  conflict(kind, name, 'the object has been modified; please apply your changes to the latest version and try again')

export const forbidden = (kind: Target, name: string, why: string, causes?: Cause[]): ApiError =>
  new ApiError(
    403,
    'Forbidden',
    name ? `${qualifiedName(kind)} "${name}" is forbidden: ${why}` : `${qualifiedName(kind)} is forbidden: ${why}`,
    about(kind, name, causes ? { causes } : {}),
  )

export const badRequest = (message: string): ApiError => new ApiError(400, 'BadRequest', message)

/** The resource is known but does not support this verb. */
export const notAllowed = (): ApiError =>
  new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})

export const unsupportedMedia = (accepted: string[]): ApiError =>
  new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  )

export const expired = (message: string): ApiError => new ApiError(410, 'Expired', message)

export interface FieldError {
  reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueForbidden'
    | 'FieldValueDuplicate'
    | 'FieldValueNotFound'
  message: string
  field: string
}

/** A 422 with one cause per field; the message joins them as the real one does. */
export function invalid(kind: Pick<Kind, 'group' | 'kind'>, name: string, errors: FieldError[]): ApiError {
  const lines = errors.map((error) => `${error.field}: ${error.message}`)
  const type = kind.group ? `${kind.kind}.${kind.group}` : kind.kind
  const said = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`
  return new ApiError(422, 'Invalid', `${type} "${name}" is invalid: ${said}`, {
    ...(name ? { name } : {}),
    ...(kind.group ? { group: kind.group } : {}),
    kind: kind.kind,
    causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
  })
}

export const required = (field: string, detail = ''): FieldError => ({
  reason: 'FieldValueRequired',
  message: detail ? `Required value: ${detail}` : 'Required value',
  field,
})

/** Values are formatted like Go's %v and %q: text in quotes, everything else as JSON. */
export const wrong = (field: string, value: unknown, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${detail}`,
  field,
})

export const unsupported = (field: string, value: string, supported: string[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.map((v) => `"${v}"`).join(', ')}`,
  field,
})

/** An existing group has no resource at this path. */
export const noSuchResource = (): ApiError =>
  new ApiError(404, 'NotFound', 'the server could not find the requested resource', {})
