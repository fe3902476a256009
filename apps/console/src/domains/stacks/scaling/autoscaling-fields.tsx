import { Form as Antd, Input, InputNumber, Select, Switch } from 'antd'
import { Day } from '@gantry/contract/stacks/scaling/autoscaling'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { clearButton } from '../../../ui/form/clear-button.tsx'
import { example } from '../../../ui/form/example.ts'
import { Field } from '../../../ui/form/form.tsx'
import { Remove } from '../spec/list-fields.tsx'
import rows from '../spec/spec.module.css'
import styles from './scaling.module.css'

const localZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The initial values of autoscaling. */
export const freshAutoscaling = () => ({
  min: 1,
  max: 3,
  cpu: { out: 80, in: 40 },
  interval: 30,
  zone: localZone(),
  paused: false,
})

export function AutoscalingFields() {
  return (
    <div>
      <div className="g-columns">
        <Field filled name={['autoscaling', 'min']} label={t('scaling-ui-min')}>
          <InputNumber min={1} max={1000} precision={0} />
        </Field>
        <Field filled name={['autoscaling', 'max']} label={t('scaling-ui-max')}>
          <InputNumber min={1} max={1000} precision={0} />
        </Field>
        <Field filled name={['autoscaling', 'interval']} label={t('scaling-ui-interval')}>
          <InputNumber min={5} max={3600} precision={0} suffix={t('stacks-ui-seconds')} />
        </Field>
      </div>
      <Use of="cpu" />
      <Use of="memory" />
      <PeriodList />
    </div>
  )
}

/** Scaling by the usage of one resource: off, or with both thresholds. */
function Use({ of }: { of: 'cpu' | 'memory' }) {
  const form = Antd.useFormInstance()
  const isOn: boolean = Antd.useWatch(['autoscaling', of], { form, preserve: true }) !== undefined
  const label = t(`scaling-ui-${of}`)
  return (
    <div className={styles.use}>
      <label className={styles.switch}>
        <Switch
          aria-label={label}
          checked={isOn}
          onChange={(on) => form.setFieldValue(['autoscaling', of], on ? { out: 80, in: 40 } : undefined)}
        />
        <span>{label}</span>
      </label>
      {isOn && (
        <div className="g-columns">
          <Field filled name={['autoscaling', of, 'out']} label={t('scaling-ui-out')} help={t('scaling-ui-of-limit')}>
            <InputNumber min={1} max={100} precision={0} suffix="%" />
          </Field>
          <Field filled name={['autoscaling', of, 'in']} label={t('scaling-ui-in')}>
            <InputNumber min={1} max={100} precision={0} suffix="%" />
          </Field>
        </div>
      )}
    </div>
  )
}

/** Times of the day with their own number of instances. */
function PeriodList() {
  const form = Antd.useFormInstance()
  const list: readonly unknown[] = Antd.useWatch(['autoscaling', 'periods'], form) ?? []
  const within = ['autoscaling', 'periods']
  return (
    <>
      {list.length > 0 && (
        <div className="g-columns">
          <Field filled name={['autoscaling', 'zone']} label={t('scaling-ui-zone')}>
            <Select showSearch options={Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value }))} />
          </Field>
        </div>
      )}
      <Antd.List name={within}>
        {(fields, { add, remove }) => (
          <div className={rows.rows}>
            {fields.map(({ key, name }) => (
              <div key={key} className={`g-field-row ${rows.row} ${styles.period}`}>
                <Field filled within={within} name={[name, 'from']} label={t('scaling-ui-from')}>
                  <Input className="g-mono" autoComplete="off" placeholder={example('08:00')} />
                </Field>
                <Field filled within={within} name={[name, 'to']} label={t('scaling-ui-to')}>
                  <Input className="g-mono" autoComplete="off" placeholder={example('18:00')} />
                </Field>
                <Field filled within={within} name={[name, 'days']} label={t('scaling-ui-days')}>
                  <Select
                    mode="multiple"
                    showSearch={{ optionFilterProp: 'label' }}
                    allowClear={clearButton()}
                    placeholder={t('scaling-ui-every-day')}
                    maxTagCount="responsive"
                    options={Day.options.map((value) => ({ value, label: t(`scaling-ui-day-${value}`) }))}
                    onChange={(days: Day[]) => {
                      // no selected day means every day, so the field is unset
                      if (days.length === 0) form.setFieldValue([...within, name, 'days'], undefined)
                    }}
                  />
                </Field>
                <Field filled within={within} name={[name, 'instances']} label={t('scaling-ui-instances')}>
                  <InputNumber min={0} max={1000} precision={0} />
                </Field>
                <Remove what={t('scaling-ui-period')} onClick={() => remove(name)} />
              </div>
            ))}
            <Button icon="add" small onClick={() => add({ instances: 1 })}>
              {t('scaling-ui-period-add')}
            </Button>
            <p className="g-faint g-small">{t('scaling-ui-periods-about')}</p>
          </div>
        )}
      </Antd.List>
    </>
  )
}
