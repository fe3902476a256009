import { type AlarmRule, alarmRules } from '@gantry/contract/alarms/rules'
import { Select } from 'antd'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'

const times = [60, 480, 1440, 10_080] as const

export function SilenceDialog({ rule, onClose }: { rule: AlarmRule; onClose: () => void }) {
  const silence = useWrite(alarmRules.silence, { done: 'option-success', quiet: true })
  return (
    <Dialog title={t('alarms-ui-silence-title', { name: rule.name })} onClose={onClose}>
      <p>{t('alarms-ui-silence-about')}</p>
      <Form
        schema={alarmRules.silence.body}
        initial={{ minutes: 60 }}
        submit={t('ui-confirm')}
        needs={alarmRules.silence}
        onCancel={onClose}
        onSubmit={async (body) => {
          await silence.mutateAsync({ named: rule.name, params: { alert_id: rule.id }, body })
          onClose()
        }}
      >
        <Field name="minutes" label={t('alarms-ui-silence-for')} filled>
          <Select options={times.map((value) => ({ value, label: t(`alarms-ui-silence-${value}`) }))} />
        </Field>
      </Form>
    </Dialog>
  )
}
