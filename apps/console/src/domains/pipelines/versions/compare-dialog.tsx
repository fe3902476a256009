import type { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import { versions } from '@gantry/contract/pipelines/editing/versions'
import { Select } from 'antd'
import { Fragment, useState, type ReactNode } from 'react'
import { stringify } from 'yaml'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { Difference } from '../../../ui/editor/editors.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { exactTime } from '../../../ui/format.ts'
import { fieldWord } from '../batches/change-words.ts'
import { textWith } from '../definition/definition-text.ts'
import styles from './versions.module.css'

export interface Compared {
  from: number
  to: number
}

interface CompareProps extends Compared {
  pipelineId: number
  onClose: () => void
}

/** Compares any two versions, field by field and as text. */
export function CompareDialog({ pipelineId, onClose, ...first }: CompareProps) {
  const [{ from, to }, choose] = useState<Compared>(first)
  const all = useRead(versions.list, { params: { id: pipelineId }, query: { pageSize: -1 } })
  const query = useRead(versions.compare, { params: { id: pipelineId, revision: to }, query: { from } })
  const options = (all.data?.items ?? []).map(({ revision, by, at }) => ({
    value: revision,
    label: `${version(revision)} · ${by || '–'} · ${exactTime(at)}`,
  }))
  const pick = (label: string, value: number, onChange: (value: number) => void) => (
    <label className={styles.side}>
      <span className="g-quiet">{label}</span>
      <Select
        aria-label={label}
        value={value}
        options={options}
        onChange={onChange}
        showSearch={{ optionFilterProp: 'label' }}
      />
    </label>
  )
  return (
    <Dialog width={960} title={t('pipelines-ui-version-compare')} onClose={onClose}>
      <div className={styles.sides}>
        {pick(t('pipelines-ui-version-from'), from, (value) => choose({ from: value, to }))}
        {pick(t('pipelines-ui-version-to'), to, (value) => choose({ from, to: value }))}
      </div>
      <Loaded query={query}>
        {({ fields, secrets, before, after }) => (
          <>
            {secrets.length > 0 && (
              <p className="g-note">
                {t('batch-edits-ui-secrets-change', { names: secrets.map(fieldWord).join(', ') })}
              </p>
            )}
            {fields.length === 0 ? (
              <p className="g-note">{t('pipelines-ui-version-same')}</p>
            ) : (
              <>
                <table className={styles.fields} aria-label={t('pipelines-ui-version-fields')}>
                  <thead>
                    <tr>
                      <th scope="col">{t('pipelines-ui-version-field')}</th>
                      <th scope="col">{version(from)}</th>
                      <th scope="col">{version(to)}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {fields.map((one) => (
                      <tr key={one.path}>
                        <th scope="row" className="g-mono">
                          {brokenAtDots(one.path)}
                        </th>
                        <td className="g-mono" data-label={version(from)}>
                          {excerpt(one.before)}
                        </td>
                        <td className="g-mono" data-label={version(to)}>
                          {excerpt(one.after)}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                <Difference before={textOf(before)} after={textOf(after)} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

const version = (revision: number): string => t('pipelines-ui-version-number', { revision })

/** Lets a path wrap after a dot, not in the middle of a word. */
const brokenAtDots = (path: string): ReactNode =>
  path.split(/(?<=\.)/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** The text below contains the whole value. */
const excerpt = (value: string | null): string =>
  value === null ? '–' : value.length > 200 ? `${value.slice(0, 200)}…` : value

const textOf = ({ definition, definitionText, ...settings }: PipelineDocument): string =>
  `${stringify(settings, { lineWidth: 0, blockQuote: 'literal' })}\n${textWith(definitionText, definition.stages)}`
