import { InputNumber } from 'antd'
import { audit } from '@gantry/contract/audit/audit'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import styles from './audit.module.css'

/** How long entries are kept. Reads and saves by itself. */
export function AuditRetentionForm({ onDone }: { onDone?: () => void }) {
  const query = useRead(audit.retention)
  const save = useWrite(audit.setRetention, { done: 'save-success', quiet: true })
  return (
    <Loaded query={query}>
      {(stored) => (
        <Form
          schema={audit.setRetention.body}
          initial={stored}
          submit={t('ui-save')}
          onSubmit={async (body) => {
            await save.mutateAsync({ named: '', body })
            onDone?.()
          }}
        >
          <Field name="days" label={t('audit-ui-retention')} help={t('audit-ui-retention-help')}>
            <InputNumber className={`${styles.days}`} suffix={t('audit-ui-days')} />
          </Field>
        </Form>
      )}
    </Loaded>
  )
}
