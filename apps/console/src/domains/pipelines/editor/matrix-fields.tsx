import type { JobInput } from '@gantry/contract/pipelines/definition'
import { countCombinations, matrixLimits } from '@gantry/contract/pipelines/steps/matrix'
import { Input, Select } from 'antd'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { StepField, useReadOnly } from '../steps/step-field.tsx'
import styles from './editor.module.css'
import { clearButton } from '../../../ui/form/clear-button.tsx'

type MatrixInput = NonNullable<JobInput['matrix']>

interface MatrixFieldsProps {
  matrix: MatrixInput | undefined
  onChange: (matrix: MatrixInput | undefined) => void
}

const texts = (values: readonly (string | number | boolean)[]): string[] => values.map(String)

/** The number of jobs of a matrix; Infinity if the axes alone exceed the limit. */
export function sizeOf(matrix: MatrixInput | undefined): number {
  if (!matrix) return 1
  const axes = Object.fromEntries(Object.entries(matrix.axes).map(([axis, values]) => [axis, texts(values)]))
  const exclude = (matrix.exclude ?? []).map((one) =>
    Object.fromEntries(Object.entries(one).map(([axis, value]) => [axis, String(value)])),
  )
  return countCombinations({ axes, exclude })
}

export const countText = (count: number): string =>
  count === Infinity ? `> ${matrixLimits.combinations}` : String(count)

/** The axes of a matrix, and the excluded combinations. */
export function MatrixFields({ matrix, onChange }: MatrixFieldsProps) {
  const readOnly = useReadOnly()
  const axes = Object.entries(matrix?.axes ?? {})
  const exclude = matrix?.exclude ?? []
  const put = (next: readonly [string, readonly (string | number | boolean)[]][], left = exclude) =>
    onChange(
      next.length === 0
        ? undefined
        : {
            axes: Object.fromEntries(next.map(([axis, values]) => [axis, [...values]])),
            ...(left.length > 0 && { exclude: left }),
          },
    )
  const count = sizeOf(matrix)
  const free = ['AXIS', ...Array.from({ length: 10 }, (_, n) => `AXIS_${n + 2}`)].find(
    (name) => !axes.some(([axis]) => axis === name),
  )
  return (
    <StepField name="matrix" label={t('pipelines-ui-matrix')} help={t('pipelines-ui-matrix-help')} wide optional named>
      {() => (
        <div className={styles.matrix} role="group" aria-label={t('pipelines-ui-matrix')}>
          {axes.map(([axis, values], at) => (
            <div key={at} className={styles.axis}>
              <Input
                className="g-mono"
                aria-label={t('pipelines-ui-matrix-axis', { number: at + 1 })}
                value={axis}
                disabled={readOnly}
                spellCheck={false}
                onChange={({ target: { value } }) => {
                  // two axes of the same name would become one
                  if (axes.some(([other], i) => i !== at && other === value)) return
                  const renamed = exclude.map((one) =>
                    Object.fromEntries(Object.entries(one).map(([name, is]) => [name === axis ? value : name, is])),
                  )
                  put(
                    axes.map((one, i) => (i === at ? [value, one[1]] : one)),
                    renamed,
                  )
                }}
              />
              <Select
                mode="tags"
                open={false}
                suffixIcon={null}
                tokenSeparators={[',']}
                aria-label={t('pipelines-ui-matrix-values', { axis })}
                placeholder={t('pipelines-ui-matrix-values', { axis })}
                value={texts(values)}
                disabled={readOnly}
                onChange={(next: string[]) => put(axes.map((one, i) => (i === at ? [axis, next] : one)))}
              />
              {!readOnly && (
                <Button
                  quiet
                  icon="delete"
                  label={t('pipelines-ui-remove', { name: axis })}
                  onClick={() =>
                    put(
                      axes.filter((_, i) => i !== at),
                      exclude.filter((one) => one[axis] === undefined),
                    )
                  }
                />
              )}
            </div>
          ))}
          {exclude.map((one, at) => (
            <div key={at} className={styles.axis}>
              <span className={styles.label}>{t('pipelines-ui-matrix-without')}</span>
              <div className={styles.excluded}>
                {axes.map(([axis, values]) => (
                  <Select
                    key={axis}
                    allowClear={clearButton()}
                    aria-label={`${t('pipelines-ui-matrix-without')} ${at + 1}: ${axis}`}
                    placeholder={axis}
                    {...(one[axis] === undefined ? {} : { value: String(one[axis]) })}
                    disabled={readOnly}
                    options={texts(values).map((value) => ({ value, label: `${axis} = ${value}` }))}
                    onChange={(value: string | undefined) => {
                      const { [axis]: _, ...rest } = one
                      put(
                        axes,
                        exclude.map((each, i) =>
                          i === at ? (value === undefined ? rest : { ...rest, [axis]: value }) : each,
                        ),
                      )
                    }}
                  />
                ))}
              </div>
              {!readOnly && (
                <Button
                  quiet
                  icon="delete"
                  label={t('pipelines-ui-row-remove', { number: at + 1 })}
                  onClick={() =>
                    put(
                      axes,
                      exclude.filter((_, i) => i !== at),
                    )
                  }
                />
              )}
            </div>
          ))}
          <div className="g-row">
            {!readOnly && axes.length < 10 && free !== undefined && (
              <Button small icon="add" onClick={() => put([...axes, [free, []]])}>
                {t('pipelines-ui-matrix-axis-add')}
              </Button>
            )}
            {!readOnly && axes.length > 0 && (
              <Button small onClick={() => put(axes, [...exclude, {}])}>
                {t('pipelines-ui-matrix-exclude-add')}
              </Button>
            )}
            {matrix && (
              <span className={count > matrixLimits.jobs ? 'g-bad g-small' : 'g-quiet g-small'} aria-live="polite">
                {t('pipelines-ui-matrix-count', {
                  count: countText(count),
                  limit: matrixLimits.jobs,
                })}
              </span>
            )}
          </div>
        </div>
      )}
    </StepField>
  )
}
