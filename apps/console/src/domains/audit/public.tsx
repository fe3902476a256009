import { AuditRetentionForm } from './retention-form.tsx'

/** Components of the audit domain for other domains. */
export { AuditRetentionForm }
