import { AuditRetentionForm } from './retention-form.tsx'

/** What other domains may show of the audit log. */
export { AuditRetentionForm }
