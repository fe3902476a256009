import { Checkbox, Input, Select, Switch } from 'antd'
import { StepType, TextPlace, type StepPlace } from '@gantry/contract/batch-edits/changes'
import { useId } from 'react'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { ValueArea } from '../../../ui/form/value-area.tsx'
import { emptyDraft, fieldDraft, fieldsOf, schemaOf, type ChangeType, type Draft } from './drafts.ts'
import { Labelled } from './labelled.tsx'
import { ValueField } from './value-field.tsx'
import { fieldWord, typeGroups } from './change-words.ts'
import styles from './batches.module.css'

interface ChangeCardProps {
  number: number
  draft: Draft
  problem: string | undefined
  /** The number of pipelines in which it matches; undefined: not known yet. */
  matched: number | undefined
  onChange: (draft: Draft) => void
  onRemove: () => void
}

/** One change of a batch: its type, its targets, its value. */
export function ChangeCard({ number, draft, problem, matched, onChange, onRemove }: ChangeCardProps) {
  const id = useId()
  return (
    <li className={styles.change} aria-labelledby={`${id}-title`}>
      <div className={styles.changeHead}>
        <strong id={`${id}-title`}>{t('batch-edits-ui-change', { number })}</strong>
        <span aria-live="polite" className={problem !== undefined ? 'g-bad' : matched === 0 ? styles.warn : 'g-quiet'}>
          {problem ?? (matched === undefined ? '' : t('batch-edits-ui-matched', { count: matched }))}
        </span>
        <Button small quiet icon="delete" label={t('batch-edits-ui-change-remove', { number })} onClick={onRemove} />
      </div>
      <div className={styles.fields}>
        <Labelled label={t('batch-edits-ui-what')}>
          {(control) => (
            <Select
              id={control}
              className="g-select"
              value={draft.type}
              showSearch={{ optionFilterProp: 'label' }}
              options={typeGroups()}
              onChange={(type: ChangeType) => onChange(emptyDraft(type))}
            />
          )}
        </Labelled>
        <Parts key={draft.type} draft={draft} onChange={onChange} />
      </div>
    </li>
  )
}

interface PartsProps {
  draft: Draft
  onChange: (draft: Draft) => void
}

function Parts({ draft, onChange }: PartsProps) {
  const put = (patch: Record<string, unknown>) => onChange({ ...draft, ...patch })
  switch (draft.type) {
    case 'set':
      return <FieldAndValue draft={draft} onChange={onChange} />
    case 'set-stage':
    case 'set-job':
    case 'set-step':
      return (
        <>
          {draft.type === 'set-step' && (
            <StepTypeField
              value={draft['step'] as StepType}
              onChange={(step) => onChange(fieldDraft({ ...draft, step }, fieldsOf('set-step', step)[0]?.[0] ?? ''))}
            />
          )}
          <FieldAndValue draft={draft} onChange={onChange} />
          <Where draft={draft} onChange={onChange} />
        </>
      )
    case 'set-variable':
      return (
        <>
          <NamedValue
            part={draft['variable'] as Named}
            valueKey="value"
            onChange={(variable) => put({ variable })}
            secret={(draft['variable'] as Named)['secret'] === true}
          />
          <Labelled label={t('batch-edits-ui-secret')}>
            {(id) => (
              <Switch
                id={id}
                checked={(draft['variable'] as Named)['secret'] === true}
                onChange={(secret) => put({ variable: { ...(draft['variable'] as Named), secret } })}
              />
            )}
          </Labelled>
          <Existing draft={draft} onChange={onChange} />
        </>
      )
    case 'set-parameter':
      return (
        <>
          <NamedValue
            part={draft['parameter'] as Named}
            valueKey="defaultValue"
            onChange={(parameter) => put({ parameter })}
            secret={(draft['parameter'] as Named)['kind'] === 'secret'}
          />
          <Labelled label={t('batch-edits-ui-secret')}>
            {(id) => (
              <Switch
                id={id}
                checked={(draft['parameter'] as Named)['kind'] === 'secret'}
                onChange={(secret) =>
                  put({ parameter: { ...(draft['parameter'] as Named), kind: secret ? 'secret' : 'text' } })
                }
              />
            )}
          </Labelled>
          <Existing draft={draft} onChange={onChange} />
        </>
      )
    case 'remove-variable':
    case 'remove-parameter':
      return <NameField draft={draft} onChange={onChange} />
    case 'add-labels':
    case 'remove-labels':
      return (
        <Labelled label={t('batch-edits-ui-labels')}>
          {(id) => (
            <Select
              id={id}
              mode="tags"
              open={false}
              suffixIcon={null}
              className="g-select"
              tokenSeparators={[',', ' ']}
              value={draft['labels'] as string[]}
              onChange={(labels: string[]) => put({ labels })}
            />
          )}
        </Labelled>
      )
    case 'replace-text':
      return (
        <>
          <Labelled label={t('batch-edits-ui-in')}>
            {(id) => (
              <Select
                id={id}
                className="g-select"
                value={draft['in'] as TextPlace}
                options={TextPlace.options.map((value) => ({ value, label: t(`batch-edits-ui-in-${value}`) }))}
                onChange={(value: TextPlace) => put({ in: value })}
              />
            )}
          </Labelled>
          <TextField draft={draft} name="find" label={t('batch-edits-ui-find')} onChange={onChange} />
          <TextField draft={draft} name="replacement" label={t('batch-edits-ui-replacement')} onChange={onChange} />
          {(draft['in'] === 'scripts' || draft['in'] === 'steps') && <Where draft={draft} onChange={onChange} />}
        </>
      )
    case 'set-step-variable':
      return (
        <>
          <NameField draft={draft} onChange={onChange} />
          <TextField draft={draft} name="value" label={t('batch-edits-ui-value')} onChange={onChange} />
          <Existing draft={draft} onChange={onChange} />
          <Where draft={draft} onChange={onChange} />
        </>
      )
    case 'remove-step-variable':
      return (
        <>
          <NameField draft={draft} onChange={onChange} />
          <Where draft={draft} onChange={onChange} />
        </>
      )
    case 'add-step':
      return <AddStep draft={draft} onChange={onChange} />
    case 'remove-step':
      return (
        <>
          <StepTypeField any value={draft['step'] as StepType} onChange={(step) => put({ step })} />
          <Where draft={draft} onChange={onChange} />
        </>
      )
  }
}

type Named = Record<string, unknown>

function FieldAndValue({ draft, onChange }: PartsProps) {
  const schema = schemaOf(draft)
  const field = String(draft['field'])
  return (
    <>
      <Labelled label={t('batch-edits-ui-field')}>
        {(id) => (
          <Select
            id={id}
            className="g-select"
            value={field}
            showSearch={{ optionFilterProp: 'label' }}
            options={fieldsOf(draft.type, draft['step'] as StepType).map(([value]) => ({
              value,
              label: fieldWord(value),
            }))}
            onChange={(next: string) => onChange(fieldDraft(draft, next))}
          />
        )}
      </Labelled>
      {schema && (
        <Labelled wide label={t('batch-edits-ui-value')}>
          {(id) => (
            <ValueField
              key={field}
              id={id}
              field={field}
              schema={schema}
              value={draft['value']}
              onChange={(value) => onChange({ ...draft, value })}
            />
          )}
        </Labelled>
      )}
    </>
  )
}

interface StepTypeProps {
  value: StepType
  any?: boolean
  onChange: (step: StepType) => void
}

const StepTypeField = ({ value, any = false, onChange }: StepTypeProps) => (
  <Labelled label={t('batch-edits-ui-step-type')}>
    {(id) => (
      <Select
        id={id}
        className="g-select"
        value={value}
        options={[
          ...(any ? [{ value: 'any' as StepType, label: t('batch-edits-ui-step-any') }] : []),
          ...StepType.options.map((one) => ({ value: one, label: t(`pipelines-ui-step-${one}`) })),
        ]}
        onChange={onChange}
      />
    )}
  </Labelled>
)

interface NamedValueProps {
  part: Named
  valueKey: string
  secret: boolean
  onChange: (part: Named) => void
}

const NamedValue = ({ part, valueKey, secret, onChange }: NamedValueProps) => (
  <>
    <Labelled label={t('batch-edits-ui-name')}>
      {(id) => (
        <Input
          id={id}
          className="g-mono"
          spellCheck={false}
          value={String(part['name'])}
          onChange={(event) => onChange({ ...part, name: event.target.value })}
        />
      )}
    </Labelled>
    <Labelled label={t(valueKey === 'value' ? 'batch-edits-ui-value' : 'batch-edits-ui-default')}>
      {(id) => (
        <ValueArea
          id={id}
          secret={secret}
          value={String(part[valueKey])}
          onChange={(event) => onChange({ ...part, [valueKey]: event.target.value })}
        />
      )}
    </Labelled>
  </>
)

const NameField = (p: PartsProps) => <TextField {...p} name="name" label={t('batch-edits-ui-name')} />

function TextField({ draft, name, label, onChange }: PartsProps & { name: string; label: string }) {
  return (
    <Labelled label={label}>
      {(id) => (
        <ValueArea
          id={id}
          value={String(draft[name] ?? '')}
          onChange={(event) => onChange({ ...draft, [name]: event.target.value })}
        />
      )}
    </Labelled>
  )
}

const Existing = ({ draft, onChange }: PartsProps) => (
  <div className={styles.fieldWide}>
    <Checkbox
      checked={draft['existing'] === true}
      onChange={(event) => onChange({ ...draft, existing: event.target.checked })}
    >
      {t('batch-edits-ui-existing')}
    </Checkbox>
  </div>
)

const places: Partial<Record<ChangeType, readonly (keyof StepPlace)[]>> = {
  'set-stage': ['stage'],
  'set-job': ['stage', 'job'],
  'add-step': ['stage', 'job'],
}

/** Names of the stages, jobs and steps to which it applies. */
function Where({ draft, onChange }: PartsProps) {
  const where = (draft['where'] ?? {}) as Partial<StepPlace>
  return (
    <fieldset className={styles.where}>
      <legend>{t('batch-edits-ui-where')}</legend>
      {(places[draft.type] ?? (['stage', 'job', 'step'] as const)).map((place) => (
        <Labelled key={place} label={t(`batch-edits-ui-where-${place}`)}>
          {(id) => (
            <Input
              id={id}
              spellCheck={false}
              maxLength={60}
              placeholder={t('batch-edits-ui-where-all')}
              value={where[place] ?? ''}
              onChange={(event) => onChange({ ...draft, where: { ...where, [place]: event.target.value } })}
            />
          )}
        </Labelled>
      ))}
    </fieldset>
  )
}

const ats = ['first', 'last', 'before', 'after'] as const

function AddStep({ draft, onChange }: PartsProps) {
  const stepSchema = fieldsOf('set-step', 'script').find(([name]) => name === 'run')?.[1]
  const at = draft['at'] as (typeof ats)[number]
  const step = draft['step'] as Named
  const isScript = step['type'] === 'script'
  return (
    <>
      <Labelled label={t('batch-edits-ui-at')}>
        {(id) => (
          <Select
            id={id}
            className="g-select"
            value={at}
            options={ats.map((value) => ({ value, label: t(`batch-edits-ui-at-${value}`) }))}
            onChange={(next: string) => onChange({ ...draft, at: next })}
          />
        )}
      </Labelled>
      {(at === 'before' || at === 'after') && (
        <TextField draft={draft} name="beside" label={t('batch-edits-ui-beside')} onChange={onChange} />
      )}
      <Labelled label={t('batch-edits-ui-new-step')}>
        {(id) => (
          <Input
            id={id}
            maxLength={30}
            value={String(step['name'] ?? '')}
            onChange={(event) => onChange({ ...draft, step: { ...step, name: event.target.value } })}
          />
        )}
      </Labelled>
      {isScript && stepSchema && (
        <Labelled wide label={fieldWord('run')}>
          {(id) => (
            <ValueField
              id={id}
              field="run"
              schema={stepSchema}
              value={step['run']}
              onChange={(run) => onChange({ ...draft, step: { ...step, run } })}
            />
          )}
        </Labelled>
      )}
      <Where draft={draft} onChange={onChange} />
    </>
  )
}
