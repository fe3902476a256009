import { Form as Antd, Input } from 'antd'
import type { OpenStackChoices } from '@gantry/contract/openstack/openstack'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/form.tsx'
import styles from './openstack.module.css'

const list = ['neutronDefaults', 'reservedIp']

/** Reserved ranges of the pods' subnet, below the ranges from which Neutron allocates. */
export function ReservedRows({ subnets }: { subnets: OpenStackChoices['subnets'] }) {
  const form = Antd.useFormInstance()
  const podSubnet: unknown = Antd.useWatch(['neutronDefaults', 'podSubnet'], form)
  const pools = subnets.find(({ id }) => id === podSubnet)?.pools ?? []
  return (
    <fieldset className={styles.reserved}>
      <legend>{t('zones-ui-reserved')}</legend>
      <p className="g-faint">{t('zones-ui-reserved-about')}</p>
      {pools.length > 0 && (
        <p className="g-num">
          {t('zones-ui-pools', { pools: pools.map(({ start, end }) => `${start} – ${end}`).join(', ') })}
        </p>
      )}
      <Antd.List name={list}>
        {(rows, { add, remove }, { errors }) => (
          <>
            {rows.map(({ key, name }, at) => (
              <div key={key} className={`g-field-row ${styles.range}`}>
                <Field filled within={list} name={[name, 'start']} label={t('zones-ui-reserved-start')}>
                  <Input className="g-mono" inputMode="decimal" spellCheck={false} autoComplete="off" />
                </Field>
                <Field filled within={list} name={[name, 'end']} label={t('zones-ui-reserved-end')}>
                  <Input className="g-mono" inputMode="decimal" spellCheck={false} autoComplete="off" />
                </Field>
                <span className={styles.rangeEnd}>
                  <Button
                    quiet
                    icon="delete"
                    label={t('zones-ui-reserved-remove', { number: at + 1 })}
                    onClick={() => remove(name)}
                  />
                </span>
              </div>
            ))}
            <Antd.ErrorList errors={errors} />
            <Button small icon="add" onClick={() => add({})}>
              {t('zones-ui-reserved-add')}
            </Button>
          </>
        )}
      </Antd.List>
    </fieldset>
  )
}
