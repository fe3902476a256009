import { InputNumber } from 'antd'
import { LoginPolicy, policy } from '@gantry/contract/auth/policy'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import styles from './auth.module.css'

/** The maximum age of a password, and how many wrong ones lock an account. Reads and saves by itself. */
export function LoginPolicyForm() {
  const query = useRead(policy.get)
  const save = useWrite(policy.set, { done: 'save-success', quiet: true })
  return (
    <Loaded query={query}>
      {({ revision, ...stored }) => (
        <Form
          schema={LoginPolicy}
          initial={stored}
          submit={t('ui-save')}
          onSubmit={(body) => save.mutateAsync({ named: '', body: { ...body, revision } })}
        >
          <Field name="passwordDays" label={t('auth-policy-days')} help={t('auth-policy-days-help')}>
            <InputNumber className={`${styles.figure}`} suffix={t('auth-policy-days-unit')} />
          </Field>
          <Field name="retries" label={t('auth-policy-retries')} help={t('auth-policy-retries-help')}>
            <InputNumber className={`${styles.figure}`} suffix={t('auth-policy-retries-unit')} />
          </Field>
        </Form>
      )}
    </Loaded>
  )
}
