const messages = {
  BLOB_UNKNOWN: [404, 'blob unknown to registry'],
  BLOB_UPLOAD_INVALID: [400, 'blob upload invalid'],
  BLOB_UPLOAD_UNKNOWN: [404, 'blob upload unknown to registry'],
  DENIED: [403, 'requested access to the resource is denied'],
  DIGEST_INVALID: [400, 'provided digest did not match uploaded content'],
  MANIFEST_BLOB_UNKNOWN: [400, 'blob unknown to registry'],
  MANIFEST_INVALID: [400, 'manifest invalid'],
  MANIFEST_UNKNOWN: [404, 'manifest unknown'],
  NAME_INVALID: [400, 'invalid repository name'],
  NAME_UNKNOWN: [404, 'repository name not known to registry'],
  PAGINATION_NUMBER_INVALID: [400, 'invalid number of results requested'],
  RANGE_INVALID: [416, 'invalid content range'],
  SIZE_INVALID: [400, 'provided length did not match content length'],
  TAG_INVALID: [400, 'manifest tag did not match URI'],
  UNAUTHORIZED: [401, 'authentication required'],
  UNSUPPORTED: [405, 'The operation is unsupported.'],
} as const

export type RegistryCode = keyof typeof messages

/** An error of the distribution protocol: a status and a body `{errors: [{code, message, detail}]}`. */
export class RegistryError extends Error {
  readonly status: number
  readonly body: { errors: { code: string; message: string; detail?: unknown }[] }
  constructor(code: RegistryCode, detail?: unknown, message?: string) {
    const [status, usual] = messages[code]
    super(message ?? usual)
    this.status = status
    this.body = { errors: [{ code, message: message ?? usual, ...(detail === undefined ? {} : { detail }) }] }
  }
}
