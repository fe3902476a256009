import { Form, Input } from 'antd'
import type { PhraseKey } from '../../api/language.ts'
import { t } from '../../api/language.ts'
import { check, newPassword, refuse } from './new-password.ts'
import { StrengthMeter } from './strength.tsx'

/**
 * A new password with its strength, and its repetition: `password` and `rePassword` of the surrounding form. A too long
 * input is refused rather than cut, which would save another password than was pasted.
 */
export function NewPasswordFields({ label, repeat }: { label: PhraseKey; repeat: PhraseKey }) {
  const form = Form.useFormInstance<{ password?: string }>()
  const typed = Form.useWatch('password', form) ?? ''
  return (
    <>
      <Form.Item
        name="password"
        label={t(label)}
        validateTrigger="onBlur"
        extra={<StrengthMeter password={typed} />}
        rules={[check(newPassword)]}
      >
        <Input.Password maxLength={200} autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="rePassword"
        label={t(repeat)}
        validateTrigger="onBlur"
        dependencies={['password']}
        rules={[
          check(async (value) => {
            if (value === '') return refuse('valid-write-new-pwd')
            if (value !== form.getFieldValue('password')) return refuse('valid-pwd-diff')
          }),
        ]}
      >
        <Input.Password maxLength={200} autoComplete="new-password" />
      </Form.Item>
    </>
  )
}
