import { type AlarmRule, alarmRules } from '@gantry/contract/alarms/rules'
import { Select } from 'antd'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'

const times = [60, 480, 1440, 10_080] as const

export function SilenceDialog({ rule, onClose }: { rule: AlarmRule; onClose: () => void }) {
  const silence = useWrite(alarmRules.silence, { done: 'option-success', quiet: true })
  return (
    <FormDialog
      title={t('alarms-ui-silence-title', { name: rule.name })}
      onClose={onClose}
      about={<p>{t('alarms-ui-silence-about')}</p>}
      schema={alarmRules.silence.body}
      initial={{ minutes: 60 }}
      submit={t('ui-confirm')}
      needs={alarmRules.silence}
      onSubmit={(body) => silence.mutateAsync({ named: rule.name, params: { alert_id: rule.id }, body })}
    >
      <Field name="minutes" label={t('alarms-ui-silence-for')} filled>
        <Select options={times.map((value) => ({ value, label: t(`alarms-ui-silence-${value}`) }))} />
      </Field>
    </FormDialog>
  )
}
