import { Input, InputNumber } from 'antd'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { t } from '../../../api/language.ts'
import { Field } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/page.tsx'
import { CheckFields } from './check-fields.tsx'
import { ImageFields } from './image-field.tsx'
import { Lines, PortList, VariableList } from './list-fields.tsx'
import { MoreSections } from './more-sections.tsx'
import { WorkloadFields } from './workload-fields.tsx'
import styles from './spec.module.css'

/** The defaults of a service. */
export const plainSpec = (): Partial<ServiceSpec> => ({ ...ServiceSpec.parse({ image: 'x' }), image: '' })

/** All fields of a ServiceSpec, in a Form. */
export function ServiceFields({ workloadFixed = false }: { workloadFixed?: boolean }) {
  return (
    <>
      <Section title={t('stacks-ui-image')}>
        <div>
          <ImageFields />
          <WorkloadFields fixed={workloadFixed} />
        </div>
      </Section>
      <Section title={t('stacks-ui-size')} about={t('stacks-ui-size-about')}>
        <div>
          <Field filled name="replicas" label={t('stacks-ui-replicas')} help={t('stacks-ui-replicas-help')}>
            <InputNumber min={0} max={1000} precision={0} />
          </Field>
          <div className={`g-columns ${styles.twoColumns}`}>
            <Field filled name={['resources', 'cpu']} label={t('stacks-ui-cpu-limit')} help={t('stacks-ui-cpu-help')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
            <Field
              filled
              name={['resources', 'memory']}
              label={t('stacks-ui-memory-limit')}
              help={t('stacks-ui-memory-help')}
            >
              <Input className="g-mono" spellCheck={false} />
            </Field>
            <Field filled name={['resources', 'cpuRequest']} label={t('stacks-ui-cpu-request')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
            <Field filled name={['resources', 'memoryRequest']} label={t('stacks-ui-memory-request')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
          </div>
        </div>
      </Section>
      <Section title={t('stacks-ui-ports')} about={t('stacks-ui-ports-about')}>
        <PortList />
      </Section>
      <Section title={t('stacks-ui-readiness')} about={t('stacks-ui-readiness-about')}>
        <CheckFields name="readiness" />
      </Section>
      <Section title={t('stacks-ui-variables')} about={t('stacks-ui-variables-about')}>
        <VariableList />
      </Section>
      <Section title={t('stacks-ui-command')} about={t('stacks-ui-command-about')}>
        <div className="g-columns">
          <Field name="command" label={t('stacks-ui-entrypoint')} help={t('stacks-ui-line-each')}>
            <Lines />
          </Field>
          <Field name="arguments" label={t('stacks-ui-arguments')} help={t('stacks-ui-line-each')}>
            <Lines />
          </Field>
        </div>
      </Section>
      <MoreSections />
    </>
  )
}
