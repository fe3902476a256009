import { backups } from '@gantry/contract/backups/backups'
import { Input, InputNumber, Select, Switch } from 'antd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Time } from '../../ui/time.tsx'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({ value: zone, label: zone }))
const schema = backups.saveSettings.body.omit({ revision: true })

/** When backups are made. Reads and saves by itself. */
export function ScheduleForm() {
  const query = useRead(backups.settings)
  const save = useWrite(backups.saveSettings, { done: 'save-success', quiet: true })
  return (
    <Loaded query={query}>
      {({ revision, nextAt, ...stored }) => (
        <>
          {nextAt !== null && <Facts facts={[{ label: t('backups-ui-next'), value: <Time at={nextAt} /> }]} />}
          <Form
            key={revision}
            schema={schema}
            initial={stored}
            submit={t('ui-save')}
            onSubmit={async (body) => {
              await save.mutateAsync({ named: '', body: { ...body, revision } })
            }}
          >
            <Field name="enabled" label={t('backups-ui-enabled')} value="checked">
              <Switch />
            </Field>
            <div className="g-columns">
              <Field name="cron" label={t('backups-ui-cron')} help={t('backups-ui-cron-help')}>
                <Input className="g-mono" spellCheck={false} autoComplete="off" maxLength={100} />
              </Field>
              <Field name="zone" label={t('backups-ui-zone')}>
                <Select showSearch options={zones} />
              </Field>
            </div>
            <Field name="keep" label={t('backups-ui-keep')} help={t('backups-ui-keep-help')}>
              <InputNumber min={1} max={100} precision={0} />
            </Field>
          </Form>
        </>
      )}
    </Loaded>
  )
}
