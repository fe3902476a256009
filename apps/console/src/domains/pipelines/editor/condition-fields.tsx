import type { Condition } from '@gantry/contract/pipelines/conditions'
import { AutoComplete, Select } from 'antd'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { example } from '../../../ui/form/example.ts'
import { Menu } from '../../../ui/menu.tsx'
import { StepField, useReadOnly } from '../steps/step-field.tsx'
import { patched } from '../steps/step-parts.tsx'
import { TextsField } from './texts-field.tsx'
import styles from './editor.module.css'

type Kind = keyof Condition
const kinds: readonly Kind[] = ['branches', 'tags', 'paths', 'result', 'parameter', 'output']

const blank: Required<Condition> = {
  branches: [],
  tags: [],
  paths: [],
  result: 'failed',
  parameter: { name: '', in: [] },
  output: { name: '', in: [] },
}

interface ConditionProps {
  when: Condition | undefined
  onChange: (when: Condition | undefined) => void
  parameters: readonly string[]
  /** Known outputs, as `step.KEY`. */
  outputs?: readonly string[]
}

/** The conditions of a stage, job or step, one row each; without a row there is no such condition. */
export function ConditionFields({ when = {}, onChange, parameters, outputs = [] }: ConditionProps) {
  const readOnly = useReadOnly()
  const set = (patch: { [K in Kind]?: Condition[K] | undefined }) => {
    const next = patched<Condition>(when, patch)
    onChange(Object.keys(next).length === 0 ? undefined : next)
  }
  const named = kinds.filter((kind) => when[kind] !== undefined)
  const left = kinds.filter((kind) => when[kind] === undefined)
  return (
    <div className={styles.conditions} role="group" aria-label={t('pipelines-ui-when')}>
      <div className={styles.partHead}>
        <span>{t('pipelines-ui-when')}</span>
        <span className="g-quiet g-small">
          {t(named.length === 0 ? 'pipelines-ui-when-none' : 'pipelines-ui-when-all')}
        </span>
      </div>
      {named.map((kind) => (
        <div key={kind} className={styles.condition}>
          <Row kind={kind} when={when} set={set} parameters={parameters} outputs={outputs} />
          {!readOnly && (
            <Button
              quiet
              icon="delete"
              label={t('pipelines-ui-remove', { name: t(`pipelines-ui-when-${kind}`) })}
              onClick={() => set({ [kind]: undefined })}
            />
          )}
        </div>
      ))}
      {!readOnly && left.length > 0 && (
        <Menu
          start
          menu={{
            items: left.map((kind) => ({ key: kind, label: t(`pipelines-ui-when-${kind}`) })),
            onClick: ({ key }) => {
              const kind = kinds.find((each) => each === key)
              if (kind) set({ [kind]: blank[kind] })
            },
          }}
        >
          <Button small icon="add">
            {t('pipelines-ui-when-add')}
          </Button>
        </Menu>
      )}
    </div>
  )
}

interface RowProps extends Pick<ConditionProps, 'parameters'> {
  kind: Kind
  when: Condition
  set: (patch: Partial<Condition>) => void
  outputs: readonly string[]
}

const patterns = { branches: 'main', tags: 'v*', paths: 'src/**' }

function Row({ kind, when, set, parameters, outputs }: RowProps) {
  const label = t(`pipelines-ui-when-${kind}`)
  switch (kind) {
    case 'branches':
    case 'tags':
    case 'paths':
      return (
        <TextsField
          name={`when.${kind}`}
          label={label}
          help={t('pipelines-ui-when-pattern')}
          placeholder={example(patterns[kind])}
          texts={when[kind] ?? []}
          onChange={(texts) => set({ [kind]: texts })}
        />
      )
    case 'result':
      return (
        <StepField name="when.result" label={label}>
          {(control) => (
            <Select
              {...control}
              value={when.result ?? 'success'}
              options={(['success', 'failed', 'always'] as const).map((value) => ({
                value,
                label: t(`pipelines-ui-when-result-${value}`),
              }))}
              onChange={(result: 'success' | 'failed' | 'always') => set({ result })}
            />
          )}
        </StepField>
      )
    case 'parameter':
    case 'output': {
      const { name, in: values } = when[kind] ?? { name: '', in: [] }
      const known = kind === 'parameter' ? parameters : outputs
      return (
        <div className={styles.conditionPair}>
          <StepField name={`when.${kind}.name`} label={label}>
            {(control) => (
              <AutoComplete
                {...control}
                className="g-mono"
                placeholder={example(kind === 'parameter' ? 'TARGET' : 'build.VERSION')}
                value={name}
                options={known.map((value) => ({ value }))}
                showSearch={{ filterOption: (text, option) => String(option?.value ?? '').includes(text) }}
                onChange={(next: string) => set({ [kind]: { name: next, in: values } })}
              />
            )}
          </StepField>
          <TextsField
            name={`when.${kind}.in`}
            label={t('pipelines-ui-when-in')}
            texts={values}
            onChange={(next) => set({ [kind]: { name, in: next } })}
          />
        </div>
      )
    }
  }
}

/** A condition in a few words, for a closed row. */
export function wordsOfCondition(when: Condition | undefined): string {
  if (!when) return ''
  const list = (texts: readonly string[]) => texts.join(', ')
  const parts = [
    when.branches && `${t('pipelines-ui-when-branches')}: ${list(when.branches)}`,
    when.tags && `${t('pipelines-ui-when-tags')}: ${list(when.tags)}`,
    when.paths && `${t('pipelines-ui-when-paths')}: ${list(when.paths)}`,
    when.result && t(`pipelines-ui-when-result-${when.result}`),
    when.parameter && `${when.parameter.name}: ${list(when.parameter.in)}`,
    when.output && `${when.output.name}: ${list(when.output.in)}`,
  ]
  return parts.filter((part) => part !== undefined).join(' · ')
}
